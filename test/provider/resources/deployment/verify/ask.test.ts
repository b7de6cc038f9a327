/** Checks that ask the agent one question or those of a file, against the responses of published servers. */
import { join } from "node:path";
import type { AskCheck, DatasetCheck } from "../../../../../provider/resources/deployment/schema/verify";
import { readRecordings } from "../../../../support/agent-servers/recordings";
import { check, LABEL } from "../../../../support/deployments/checks";
import { createFolder } from "../../../../support/deployments/source-folder";
import { startAgentClient } from "../../../../support/servers/agent-client";
import { json, type Reply, reset } from "../../../../support/servers/server";

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
  ["blocks", { messages: [ai([{ type: "none" }, { type: "text", text: "Par" }, { type: "text", text: "is" }])] }],
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
  if (actual === "no text")
    expect((await ask({ expect: { matches: "^(?!sorry)" } }, 200, body)).mismatch).toBeDefined();
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
  ["lacks it", 404, { detail: "Assistant agent not found" }, 'status 404: {"detail":"Assistant agent not found"}'],
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

/** Questions from `q1`, of which each expects the answer `yes`. */
const questions = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ input: `q${index + 1}`, expect: { contains: "yes" } }),
  ).join("\n");

interface Answers {
  text: string;
  /** What the agent answers to a question when it is asked for the n-th time; undefined: nothing. */
  answer?: (question: string, count: number) => string | undefined;
}

async function askAll(dataset: Partial<DatasetCheck>, { text, answer = () => "yes" }: Answers, more = {}) {
  const path = join(createFolder({ "questions.jsonl": text }), "questions.jsonl");
  const counts = new Map<string, number>();
  const reply: Reply = (response, request) => {
    const { input } = JSON.parse(agent.server.requests.at(-1)?.body ?? "");
    counts.set(input, (counts.get(input) ?? 0) + 1);
    const text = answer(input, counts.get(input) ?? 0);
    (text === undefined ? reset : json(200, text))(response, request);
  };
  const agent = await startAgentClient(reply);
  const result = await check({ dataset: { path, assistantId: "agent", ...dataset }, ...more }, agent);
  return { ...agent, ...result, counts };
}

it("A dataset passes when each question does, after its own attempts", async () => {
  const { mismatch, counts, rows } = await askAll(
    {},
    { text: questions(3), answer: (question, count) => (question === "q2" && count < 3 ? "no" : "yes") },
  );
  expect(mismatch).toBeUndefined();
  expect([...counts].sort()).toEqual([
    ["q1", 1],
    ["q2", 3],
    ["q3", 1],
  ]);
  expect(rows[0]).toBe(LABEL);
  expect(rows.at(-1)).toMatch(/^check 1 of 1, 2 of 3 questions, \d+ s$/);
});

it("A dataset passes with the share of its questions that is enough", async () => {
  const answer = (question: string) => (/[123]$/.test(question) ? "no" : "yes");
  const options = { text: questions(10), answer };
  expect((await askAll({ minPassRate: 0.7 }, options, { attempts: 1 })).mismatch).toBeUndefined();
  const { mismatch } = await askAll({ minPassRate: 0.71, concurrency: 1 }, options, { attempts: 1 });
  expect(mismatch?.expected).toBe("8 of 10 questions to pass");
});

it("A dataset ends when too many questions have failed, and names the first of them", async () => {
  const answer = (question: string) => (question === "q1" ? "yes" : "no");
  const { mismatch, requests } = await askAll(
    { minPassRate: 0.6, concurrency: 1 },
    { text: `\n${questions(10)}`, answer },
    { attempts: 1 },
  );
  const failed = (line: number) => `line ${line}: expected a text that contains "yes", but got "no"`;
  expect(mismatch).toEqual({
    expected: "6 of 10 questions to pass",
    actual: ["5 of 6 failed", failed(3), failed(4), failed(5)].join("\n"),
  });
  expect(requests()).toHaveLength(6);
});

it("A question without a response has failed", async () => {
  const answer = (question: string) => (question === "q1" ? undefined : "yes");
  const { mismatch } = await askAll({}, { text: questions(2), answer }, { attempts: 1 });
  expect(mismatch?.actual).toContain("line 1: expected a response, but got no response");
});

it("As many questions are asked at the same time as the dataset says", async () => {
  let [asked, most] = [0, 0];
  const path = join(createFolder({ "questions.jsonl": questions(7) }), "questions.jsonl");
  const agent = await startAgentClient((response) => {
    most = Math.max(most, ++asked);
    setImmediate(() => setImmediate(() => response.end('"yes"', () => asked--)));
  });
  await check({ dataset: { path, assistantId: "agent", concurrency: 3 } }, agent);
  expect(agent.requests()).toHaveLength(7);
  expect(most).toBe(3);
});

it("A line may have an assistant, a context and a configuration besides its question", async () => {
  const line = { assistantId: "other", input: "q", context: { a: 1 }, config: { recursion_limit: 3 } };
  const { bodies } = await askAll({}, { text: JSON.stringify(line) });
  expect(bodies()).toEqual([
    expect.objectContaining({ assistant_id: "other", input: "q", context: { a: 1 }, config: { recursion_limit: 3 } }),
  ]);
});
