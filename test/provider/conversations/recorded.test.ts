/**
 * Conversations of all kinds of graphs, as `npm run record` has read them from one published server and written them to
 * another: the requests are the recorded ones, which these servers have shown to lead to the recorded states.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConversationServer, type Probe } from "../../../provider/conversations/server/conversation-server";
import { Graphs } from "../../../provider/conversations/server/graphs";
import { readConversation } from "../../../provider/conversations/thread/read-thread";
import { restoreConversation, type Waiting } from "../../../provider/conversations/thread/restore-thread";
import type { ConversationExchange, RecordedConversation } from "../../../scripts/record/conversations";
import { json, type Reply, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";

const FOLDER = join(__dirname, "../../recordings/conversations");

const RECORDED = readdirSync(FOLDER).flatMap((file) => {
  const lines = readFileSync(join(FOLDER, file), "utf8").trimEnd().split("\n");
  const [{ server }, ...conversations] = lines.map((line) => JSON.parse(line));
  return (conversations as RecordedConversation[]).map((one) => [server as string, one.name, one] as const);
});

/** What is lost on the way. Of all others, every checkpoint is the same, and nothing has to be said. */
const FUNCTION = "what its function saved for the next run, where that differs from its result";
const ASKED_AGAIN = "it asks other questions than before, such as those that had an answer already";
const ENDED = "one more checkpoint for each run that failed or waited when the next input came";
const LOSSES: Readonly<Record<string, string[]>> = {
  "python chat": ["2 AI messages without token counts"],
  "python trim": ["1 AI message without token counts"],
  "python func": [FUNCTION],
  "python func that waits": [FUNCTION],
  "python two with an answer": [ASKED_AGAIN],
  "javascript two with an answer": [ASKED_AGAIN],
  "javascript func": [FUNCTION],
  "javascript func that waits": [FUNCTION],
  "javascript mem": ['the memory of the subgraph "inner"'],
};

async function serve(replies: readonly Reply[], language: string) {
  const test = await TestServer.start([...replies, json(500, "No more requests were recorded")]);
  const probe: Probe = async ({ method, path, search, body }) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const url = new URL(search ? `${path}?${search}` : path, test.url);
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return { status: response.status, text: await response.text() } as Awaited<ReturnType<Probe>>;
  };
  const received = () =>
    test.requests.map(({ method, url, body }) => ({
      method,
      path: url,
      ...(body !== "" && { body: JSON.parse(body) }),
    }));
  return { server: new ConversationServer(probe, language === "python", new TestClock()), received };
}

const replay = (exchanges: readonly ConversationExchange[], language: string) =>
  serve(
    exchanges.map(({ status, response }) => json(status, response)),
    language,
  );

const requestsOf = (exchanges: readonly ConversationExchange[]) =>
  exchanges.map(({ method, path, body }) => ({ method, path, ...(body !== undefined && { body }) }));

async function read(language: string, { thread, read: exchanges }: RecordedConversation) {
  const { server, received } = await replay(exchanges, language);
  return { conversation: await readConversation(thread, server, new Graphs(server)), received };
}

const optionsFor = (target: ConversationServer, waiting: Waiting = "ask-again") => ({
  ...{ target, graphs: new Graphs(target), waiting, learned: new Map() },
});

const find = (language: string, name: string) =>
  RECORDED.find(([server, recorded]) => server === language && recorded === name)?.[2] as RecordedConversation;

it.each(RECORDED)(
  "On the server in %s, the conversation %s is read and written with the recorded requests",
  async (language, name, recorded) => {
    const { conversation, received } = await read(language, recorded);
    expect(received()).toEqual(requestsOf(recorded.read));
    const target = await replay(recorded.written, language);
    const restored = await restoreConversation(conversation, optionsFor(target.server));
    expect(target.received()).toEqual(requestsOf(recorded.written));
    const losses = LOSSES[`${language} ${name}`] ?? (name.endsWith("another input") ? [ENDED] : []);
    const level = losses.join().includes("latest state only") ? "latest" : "whole";
    const ranAgain = name.startsWith("two") ? ["fast"] : [];
    expect(restored).toEqual({ level, losses, ranAgain });
  },
);

it("A conversation that waits is written without its question, or not at all, if that is asked for", async () => {
  const { conversation } = await read("python", find("python", "ask"));
  const { written } = find("python", "ask");
  const left = await replay(written, "python");
  expect(await restoreConversation(conversation, optionsFor(left.server, "leave"))).toEqual({
    ...{ level: "whole", losses: ["its questions are not asked"], ranAgain: [] },
  });
  expect(left.received().some(({ path }) => path.includes("/runs"))).toBe(false);
  const skipped = await replay(written, "python");
  const { level } = await restoreConversation(conversation, optionsFor(skipped.server, "skip"));
  expect([level, requestsOf(written).slice(0, 1)]).toEqual(["none", skipped.received()]);
});

it("A conversation that ends where it should ask again is deleted and named", async () => {
  const recorded = find("python", "ask");
  const { conversation } = await read("python", recorded);
  const finished = recorded.written.map((exchange, index, all) => {
    const isAfterRun = all.slice(0, index).some(({ path }) => path.endsWith("/runs/wait"));
    const states = isAfterRun ? (exchange.response as object[]).map((state) => ({ ...state, tasks: [] })) : undefined;
    return states ? { ...exchange, response: states } : exchange;
  });
  const deletion = { method: "DELETE", path: `/threads/${recorded.thread.thread_id}`, status: 204, response: null };
  const target = await replay([...finished, deletion], "python");
  expect(await restoreConversation(conversation, optionsFor(target.server))).toMatchObject({
    ...{ level: "none", losses: ["it asked no question when it ran again, and was deleted"] },
  });
  expect(target.received().at(-1)).toEqual({ method: "DELETE", path: deletion.path });
});

it("A rejection that says nothing of a conversation ends the restore, and does not lose a part of it", async () => {
  const { conversation } = await read("python", find("python", "steps"));
  const [graph = json(500, ""), ...others] = find("python", "steps").written.map((one) =>
    json(one.status, one.response),
  );
  const proxy = await serve([graph, json(503, "busy"), ...others], "python");
  await expect(restoreConversation(conversation, optionsFor(proxy.server))).rejects.toThrow("POST /threads: 503");
  const limited = await serve([graph, json(429, "slower"), ...others], "python");
  expect(await restoreConversation(conversation, optionsFor(limited.server))).toMatchObject({ level: "whole" });
});

it("A conversation whose graph the server lacks, or which someone else has there, is left alone", async () => {
  const { conversation } = await read("javascript", find("javascript", "steps"));
  const without = await serve([json(200, []), json(200, [{ assistant_id: "of another graph" }])], "javascript");
  expect(await restoreConversation(conversation, optionsFor(without.server))).toMatchObject({
    ...{ level: "none", losses: ['its graph "steps" is not on the server'] },
  });
  const taken = await serve([json(200, [{ assistant_id: "a" }]), json(409, "exists")], "javascript");
  expect(await restoreConversation(conversation, optionsFor(taken.server))).toMatchObject({
    ...{ level: "none", losses: ["a thread of this ID exists, and was left as it is"] },
  });
  expect(taken.received().map(({ method }) => method)).toEqual(["POST", "POST"]);
});
