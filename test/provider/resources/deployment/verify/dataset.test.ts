/** Checks that ask the questions of a file. */
import { join } from "node:path";
import type { DatasetCheck } from "../../../../../provider/resources/deployment/schema/verify";
import { check, LABEL } from "../../../../support/deployments/checks";
import { createFolder } from "../../../../support/deployments/source-folder";
import { startAgentClient } from "../../../../support/servers/agent-client";
import { json, type Reply } from "../../../../support/servers/server";

/** Questions from `q1`, of which each expects the answer `yes`. */
const questions = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ input: `q${index + 1}`, expect: { contains: "yes" } }),
  ).join("\n");

interface Answers {
  text: string;
  /** What the agent answers to a question when it is asked for the n-th time. */
  answer?: (question: string, count: number) => string;
}

async function ask(dataset: Partial<DatasetCheck>, { text, answer = () => "yes" }: Answers, more = {}) {
  const path = join(createFolder({ "questions.jsonl": text }), "questions.jsonl");
  const counts = new Map<string, number>();
  const reply: Reply = (response, request) => {
    const { input } = JSON.parse(agent.server.requests.at(-1)?.body ?? "");
    counts.set(input, (counts.get(input) ?? 0) + 1);
    json(200, answer(input, counts.get(input) ?? 0))(response, request);
  };
  const agent = await startAgentClient(reply);
  const result = await check({ dataset: { path, assistantId: "agent", ...dataset }, ...more }, agent);
  return { ...agent, ...result, counts };
}

it("A dataset passes when each question does, after its own attempts", async () => {
  const { mismatch, counts, rows } = await ask(
    {},
    {
      text: questions(3),
      answer: (question, count) => (question === "q2" && count < 3 ? "no" : "yes"),
    },
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
  expect((await ask({ minPassRate: 0.7 }, options, { attempts: 1 })).mismatch).toBeUndefined();
  const { mismatch } = await ask({ minPassRate: 0.71, concurrency: 1 }, options, { attempts: 1 });
  expect(mismatch?.expected).toBe("8 of 10 questions to pass");
});

it("A dataset ends when too many questions have failed, and names the first of them", async () => {
  const answer = (question: string) => (question === "q1" ? "yes" : "no");
  const { mismatch, requests } = await ask(
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
  const { bodies } = await ask({}, { text: JSON.stringify(line) });
  expect(bodies()).toEqual([
    expect.objectContaining({ assistant_id: "other", input: "q", context: { a: 1 }, config: { recursion_limit: 3 } }),
  ]);
});
