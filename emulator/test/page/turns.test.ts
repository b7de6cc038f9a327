import { applyEvent, NO_PROGRESS } from "../../page/data/agent/progress";
import { turnsOf, withRun } from "../../page/data/agent/turns";
import type { Message } from "../../page/data/agent/types";
import { human, runMs, startThread } from "../support/agent-server";

const said = (messages: Message[]) => messages.map(({ content }) => content);

/** Sends messages to the emulator's agent server, and returns its history of the thread. */
async function converse(assistant_id: string, inputs: object[]) {
  const { agent, thread_id } = await startThread({});
  for (const input of inputs) {
    await agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id, ...input });
    await agent.advance(runMs);
  }
  return { agent, thread_id, history: (await agent.history(thread_id)) as never[] };
}

const message = (text: string) => ({ input: { messages: [human(text)] } });

describe("the turns of a thread", () => {
  test("are an input each with what followed, and each checkpoint has its node and what it changed", async () => {
    const { history } = await converse("echo", [message("Hello"), message("And now?")]);
    const turns = turnsOf(history);
    expect(turns.map(({ messages }) => said(messages))).toEqual([
      ["Hello", "Echo: Hello"],
      ["And now?", "Echo: And now?"],
    ]);
    const steps = turns.map(({ checkpoints }) => checkpoints.map(({ nodes, keys }) => [nodes, keys]));
    const step = [
      [["input"], []],
      [["__start__"], ["messages"]],
      [["echo"], ["messages"]],
    ];
    expect(steps).toEqual([step, step]);
  });

  test("contain the answer of a person, which begins no other turn", async () => {
    const { history } = await converse("interrupt", [{ input: { steps: 1 } }, { command: { resume: true } }]);
    const [turn, ...others] = turnsOf(history);
    expect(others).toEqual([]);
    expect(turn?.checkpoints.map(({ nodes }) => nodes.join())).toEqual(["input", "__start__", "prepare", "finish"]);
  });

  test("begin also with a message that an update of the state contains, and omit branches that were left", async () => {
    const { agent, thread_id, history } = await converse("echo", [message("Hello")]);
    const first = (history.at(-1) as unknown as { checkpoint: object }).checkpoint;
    const update = (text: string, more: object) =>
      agent.call("POST", `/threads/${thread_id}/state`, {
        values: { messages: [human(text)] },
        as_node: "__start__",
        ...more,
      });
    const shown = async () =>
      turnsOf((await agent.history(thread_id)) as never[]).map(({ messages }) => said(messages));
    await update("Left", {});
    expect(await shown()).toEqual([["Hello", "Echo: Hello"], ["Left"]]);
    await update("Taken", { checkpoint: first });
    expect(await shown()).toEqual([["Taken"]]);
  });

  test("of messages without IDs know them by their place", () => {
    const state = (id: string, parent: string | undefined, ...texts: string[]) => ({
      values: { messages: texts.map((content) => ({ type: "human", content })) },
      checkpoint: { checkpoint_id: id },
      parent_checkpoint: { checkpoint_id: parent ?? "" },
    });
    const turns = turnsOf([state("2", "1", "Hello", "Hello"), state("1", undefined, "Hello")]);
    expect(turns.map(({ messages }) => said(messages))).toEqual([["Hello"], ["Hello"]]);
  });
});

describe("the turn of a run in progress", () => {
  const part = (id: string, content: unknown) => [{ type: "AIMessageChunk", id, content }, {}];
  const after = (events: [string, unknown][]) =>
    events.reduce((progress, [event, data]) => applyEvent(progress, event, data), NO_PROGRESS);

  test("shows what was sent, tokens as they arrive, and what each step wrote", () => {
    const streamed = after([
      ["metadata", { run_id: "r-1" }],
      ["messages", part("m-2", "I look")],
      ["messages", part("m-2", [{ type: "text", text: " at it" }])],
    ]);
    expect(withRun([], "Hello", streamed).map(({ messages }) => said(messages))).toEqual([["Hello", "I look at it"]]);
    const answer = { type: "ai", id: "m-2", content: "I look at it." };
    const ended = [
      ["updates", { model: { messages: [answer] }, __interrupt__: [{ id: "q", value: "Really?" }] }],
      [
        "values",
        { messages: [{ type: "human", id: "m-1", content: "Hello" }, answer], __interrupt__: [{ value: "Really?" }] },
      ],
    ] as [string, unknown][];
    const progress = ended.reduce((before, [event, data]) => applyEvent(before, event, data), streamed);
    const [turn] = withRun([], "Hello", progress);
    expect(said(turn?.messages ?? [])).toEqual(["Hello", "I look at it."]);
    expect(turn?.checkpoints.map(({ nodes, keys }) => [nodes, keys])).toEqual([[["model"], ["messages"]]]);
    expect(progress).toMatchObject({ streamed: [], interrupts: [{ value: "Really?" }] });
  });

  test("continues the last one when it answers a question", async () => {
    const { history } = await converse("interrupt", [{ input: { steps: 1 } }]);
    const [turn, ...others] = withRun(
      turnsOf(history),
      undefined,
      after([["updates", { finish: { finished: true } }]]),
    );
    expect(others).toEqual([]);
    expect(turn?.checkpoints.at(-1)).toMatchObject({ nodes: ["finish"], keys: ["finished"] });
  });
});
