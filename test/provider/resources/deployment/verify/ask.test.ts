/** Checks that ask the agent a question, against the responses of published servers. */
import type { AskCheck } from "../../../../../provider/resources/deployment/schema/verify";
import { check } from "../../../../support/deployments/checks";
import { readRecordings } from "../../../../support/recordings";
import { startAgentClient } from "../../../../support/servers/agent-client";
import { json } from "../../../../support/servers/server";

const human = (content: unknown) => ({ type: "human", content });
const ai = (content: unknown) => ({ type: "ai", content });
const input = { messages: [human("What is the capital of France?")] };

async function ask(question: Partial<AskCheck>, status: number, body: unknown) {
  const server = await startAgentClient(json(status, body));
  const { mismatch } = await check({ ask: { assistantId: "agent", input, ...question }, attempts: 1 }, server);
  return { ...server, mismatch };
}

it("A question is a stateless run, which leaves no thread", async () => {
  const config = { recursionLimit: 5, configurable: { userKey: 1 } };
  const { requests, bodies } = await ask({ context: { userKey: 2 }, config }, 200, { messages: [ai("Paris")] });
  expect(requests()).toEqual(["POST /runs/wait"]);
  expect(bodies()).toEqual([
    {
      ...{ assistant_id: "agent", input, context: { userKey: 2 } },
      ...{ on_completion: "delete", on_disconnect: "cancel" },
      config: { recursion_limit: 5, configurable: { userKey: 1 } },
    },
  ]);
});

it.each([
  ["a text", { messages: [...input.messages, ai("It is Paris.")] }],
  [
    "a list of blocks",
    { messages: [ai([{ type: "reasoning" }, { type: "text", text: "Par" }, { type: "text", text: "is" }])] },
  ],
  ["a message with a role", { messages: [{ role: "assistant", content: "Paris" }] }],
  ["a message of another user", { messages: [...input.messages, human("Paris?")] }],
  ["a result without messages", { answer: { city: "Paris" } }],
  ["the question of a run that waits", { ...input, __interrupt__: [{ id: "i", value: { question: "Paris?" } }] }],
  ["a text alone", "Paris"],
  ["a result with a number of messages", { messages: 2, answer: "Paris" }],
])("An answer may be %s", async (_what, body) => {
  expect((await ask({ expect: { contains: "Paris", matches: "Par?is" } }, 200, body)).mismatch).toBeUndefined();
});

it.each([
  ["an earlier message", { messages: [ai("France"), ai("I do not know")] }, '"I do not know"'],
  ["the question", input, "no text"],
  ["the question in other words", { messages: [{ role: "user", content: "France: its capital?" }] }, "no text"],
  ["empty", { messages: [ai("")] }, "an empty text"],
  ["the name of a key", { France: "x" }, '"x"'],
])("An answer does not count that is %s", async (_what, body, actual) => {
  const { mismatch } = await ask({ expect: { contains: "France" } }, 200, body);
  expect(mismatch).toEqual({ expected: 'a text that contains "France"', actual });
});

it("JSON is a part of the result", async () => {
  const result = { messages: [ai("x")], done: true, steps: 2 };
  expect((await ask({ expect: { json: { done: true } } }, 200, result)).mismatch).toBeUndefined();
  const { mismatch } = await ask({ expect: { json: { messages: [{ type: "human" }] } } }, 200, result);
  expect(mismatch).toEqual({ expected: 'messages[0].type with "human"', actual: 'messages[0].type with "ai"' });
});

it.each([
  ["fails", 500, { detail: "boom" }, 'status 500: {"detail":"boom"}'],
  [
    "does not know the assistant",
    404,
    { detail: "Assistant agent not found" },
    'status 404: {"detail":"Assistant agent not found"}',
  ],
  [
    "has no stateless runs",
    404,
    { detail: "Not Found" },
    "the agent server has no stateless runs (POST /runs/wait), which questions need: status 404: " +
      '{"detail":"Not Found"}',
  ],
  ["reports an error without a message", 200, { __error__: { error: "Timeout" } }, "the run failed: Timeout"],
])("A question has no result from a server that %s", async (_what, status, body, actual) => {
  expect((await ask({}, status, body)).mismatch).toEqual({ expected: "an answer", actual });
});

describe.each(["python", "javascript"] as const)("Recorded responses in %s", (language) => {
  const { exchanges } = readRecordings().find(({ server }) => server === language) ?? { exchanges: [] };
  const recorded = (name: string) => exchanges.find((exchange) => exchange.name === name)?.response.body;

  it("An answer is the last message", async () => {
    const { mismatch } = await ask({ expect: { matches: "^C: Again$" } }, 200, recorded("stateless-wait"));
    expect(mismatch).toBeUndefined();
  });

  it("A failed run fails the check although its status is that of a success", async () => {
    const { mismatch } = await ask({}, 200, recorded("stateless-failed"));
    expect(mismatch?.actual).toMatch(/^the run failed: (Value)?Error: This graph always fails$/);
  });

  it("A run that waits for an answer says what it asks", async () => {
    const { mismatch } = await ask({ expect: { contains: "Shall I finish?" } }, 200, recorded("run-interrupted"));
    expect(mismatch).toBeUndefined();
  });
});
