import type { RunInput } from "../../../src";

/** Returns the ID of the run with a number. */
export function runId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

type Times = readonly [start_time: string, end_time?: string];
const run = (number: number, name: string, run_type: string, times: Times, change: Partial<RunInput>): RunInput => {
  const [start_time, end_time] = times;
  return { id: runId(number), name, run_type, start_time, ...(end_time && { end_time }), ...change };
};
const used = (prompt_tokens: number, completion_tokens: number, total_cost: number) => ({
  ...{ prompt_tokens, completion_tokens, total_cost },
});
const correct = (value: object) => ({ key: "correctness", ...value });

/** Eight runs that differ in every field that a filter can use. */
export const runs: RunInput[] = [
  run(1, "chat", "chain", ["2026-01-01T00:00:00Z", "2026-01-01T00:00:02Z"], {
    ...{ ...used(60, 40, 0.01), tags: ["prod", "beta"], extra: { metadata: { env: "prod", version: 3 } } },
    feedback: [correct({ score: 0.9 }), { key: "tone", value: "kind" }],
    ...{ inputs: { question: "What is Rust?" }, outputs: { answer: "A language" } },
  }),
  run(2, "call-model", "llm", ["2026-01-01T00:00:00.100Z", "2026-01-01T00:00:01.500Z"], {
    ...{ ...used(60, 40, 0.01), parent_run_id: runId(1), outputs: { text: "Prod ready" } },
    extra: { metadata: { model: "a-1", temperature: 0.5 } },
  }),
  run(3, "search-docs", "tool", ["2026-01-01T00:00:01.600Z", "2026-01-01T00:00:01.800Z"], {
    ...{ parent_run_id: runId(1), error: "Timeout: 30s", tags: ["prod"], inputs: { query: "rust" } },
  }),
  run(4, "chat", "chain", ["2026-01-02T00:00:00Z", "2026-01-02T00:00:06Z"], {
    ...{ ...used(10, 5, 0.5), tags: [], extra: { metadata: { env: "staging", region: "prod", canary: true } } },
    feedback: [correct({ score: 0.2 }), { key: "helpful", score: 0.9 }],
  }),
  run(5, "chat", "chain", ["2026-01-02T12:00:00Z"], { tags: ["beta"] }),
  run(6, `it's "quoted"`, "llm", ["2026-01-03T00:00:00Z", "2026-01-03T00:00:00.500Z"], {
    ...{ ...used(0, 0, 0), tags: ["PROD"], extra: { metadata: { version: "3" } } },
    ...{ feedback: [correct({ value: "good" })], outputs: { nested: { list: ["deep rust", 1] } } },
  }),
  run(7, "Ünïcode 🚀", "tool", ["2026-01-03T01:00:00Z", "2026-01-03T01:00:00Z"], {
    ...{ error: "", status: "error", extra: { metadata: { env: null } } },
  }),
  run(8, "100%", "chain", ["2026-01-03T23:59:59.999999Z", "2026-01-04T00:02:00.000000Z"], {
    ...{ ...used(4000, 1000, 1.25), tags: ['a"b'], extra: { metadata: "prod", runtime: { env: "prod" } } },
    ...{ feedback: [correct({ score: true })], inputs: { text: "line one\nline two" } },
  }),
];
