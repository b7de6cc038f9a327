/** Revisions of the agent beside this file, with what their checks must find. */

export interface Revision {
  /** How it behaves, which agent.mjs defines. Default: as the last good one, whose image it has. */
  behavior?: string;
  /** The secret and the variable that the agent needs; undefined for none. */
  key?: string | undefined;
  model?: string;
}

/** A revision that must be off again, and what the error says of it. */
export interface BadRevision extends Revision {
  check: string;
  reason: RegExp;
}

const KEY = "the-key-of-the-model";

/** Revisions that must stay. */
export const GOOD: readonly Revision[] = [
  ...["plain", "one-500", "six-of-eight-sums", "one-more-node", "answer-in-parts", "late-start"].map((behavior) => ({
    behavior,
  })),
  { key: "another-key-of-the-model" },
  { model: "small-1" },
];

const bad = (behavior: string | undefined, check: string, reason: RegExp, change: Revision = {}): BadRevision => ({
  ...(behavior !== undefined && { behavior }),
  ...{ check, reason, ...change },
});

const [HEALTH, REPORT, ASK] = ["http /ok", "http /report", "ask support"];

export const BAD: readonly BadRevision[] = [
  bad("crashes", REPORT, /connection|socket|50\d/i),
  bad("wrong-answer", ASK, /I cannot help with that/),
  bad("endless-answer", ASK, /3 s|timeout|timed out|too (large|long)/i),
  bad("no-body", ASK, /./),
  bad("connection-closed", ASK, /connection|socket|closed|terminated|aborted/i),
  bad(undefined, ASK, /no model larg-1/, { model: "larg-1" }),
  bad(undefined, ASK, /MODEL_API_KEY is not set/, { key: undefined }),
  bad("report-500", REPORT, /the tools cannot be reached/),
  bad("half-of-sums", "dataset questions.jsonl", /That is|7/),
  bad("no-node", "conversations", /7 threads wait in node "approve", which graph "support" no longer has/),
  bad("self-test-fails", "command", /3 of 12 self-tests failed/),
  bad("unhealthy-later", HEALTH, /the model is gone/),
];

/** What every revision has, unless it says otherwise. */
const DEFAULTS = { key: KEY, model: "large-1" };

/** The questions of the dataset, of which three quarters must pass. */
export const QUESTIONS = Array.from({ length: 8 }, (_, index) => ({
  input: { messages: [{ role: "user", content: `How much is ${index + 1} plus ${index + 2}?` }] },
  expect: { matches: `\\b${2 * index + 3}\\b` },
}))
  .map((question) => JSON.stringify(question))
  .join("\n");

/** Returns the inputs of the deployment, with a check of each kind. */
export function inputsOf(release: string, revision: Revision): Record<string, unknown> {
  const { behavior = "plain", key, model } = { ...DEFAULTS, ...revision };
  const twice = { attempts: 2, pause: "10ms" };
  const question = { messages: [{ role: "user", content: "When are you open?" }] };
  const report = { contains: release, json: { release, tools: ["search", "order"] } };
  return {
    ...{ name: "agent", source: "external_docker", environment: { MODEL: model } },
    sourceRevisionConfig: { imageUri: `registry.example.com/agent:${release}-${behavior}` },
    ...(key !== undefined && { secrets: { MODEL_API_KEY: key } }),
    verify: [
      { http: { path: "/ok" }, ...twice },
      { http: { path: "/report", headers: { "x-team": "support" }, expect: report }, ...twice },
      {
        ask: { assistantId: "support", input: question, expect: { contains: "from 9 to 17" } },
        ...{ ...twice, timeout: "3s" },
      },
      { dataset: { path: "questions.jsonl", assistantId: "support", minPassRate: 0.75 }, ...twice },
      { conversations: {}, ...twice },
      { command: { args: ["node", "self-test.mjs"], inherit: ["PATH", "AGENTGRAPH_API_KEY"] }, ...twice },
    ],
  };
}
