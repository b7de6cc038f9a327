import type { RunInput } from "../../../src/index";

/** The id of the run with this number. */
export function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** Eight runs that differ wherever a filter may look. */
export const runs: RunInput[] = [
  {
    ...{ id: id(1), name: "chat", run_type: "chain" },
    ...{ start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:02Z" },
    ...{ prompt_tokens: 60, completion_tokens: 40, total_cost: 0.01, tags: ["prod", "beta"] },
    extra: { metadata: { env: "prod", version: 3 } },
    feedback: [
      { key: "correctness", score: 0.9 },
      { key: "tone", value: "kind" },
    ],
    inputs: { question: "What is Rust?" },
    outputs: { answer: "A language" },
  },
  {
    ...{ id: id(2), name: "call-model", run_type: "llm", parent_run_id: id(1) },
    ...{ start_time: "2026-01-01T00:00:00.100Z", end_time: "2026-01-01T00:00:01.500Z" },
    ...{ prompt_tokens: 60, completion_tokens: 40, total_cost: 0.01 },
    extra: { metadata: { model: "a-1", temperature: 0.5 } },
    outputs: { text: "Prod ready" },
  },
  {
    ...{ id: id(3), name: "search-docs", run_type: "tool", parent_run_id: id(1), error: "Timeout: 30s" },
    ...{ start_time: "2026-01-01T00:00:01.600Z", end_time: "2026-01-01T00:00:01.800Z", tags: ["prod"] },
    inputs: { query: "rust" },
  },
  {
    ...{ id: id(4), name: "chat", run_type: "chain", tags: [] },
    ...{ start_time: "2026-01-02T00:00:00Z", end_time: "2026-01-02T00:00:06Z" },
    ...{ prompt_tokens: 10, completion_tokens: 5, total_cost: 0.5 },
    extra: { metadata: { env: "staging", region: "prod", canary: true } },
    feedback: [
      { key: "correctness", score: 0.2 },
      { key: "helpful", score: 0.9 },
    ],
  },
  { id: id(5), name: "chat", run_type: "chain", start_time: "2026-01-02T12:00:00Z", tags: ["beta"] },
  {
    ...{ id: id(6), name: `it's "quoted"`, run_type: "llm", tags: ["PROD"] },
    ...{ start_time: "2026-01-03T00:00:00Z", end_time: "2026-01-03T00:00:00.500Z" },
    ...{ prompt_tokens: 0, completion_tokens: 0, total_cost: 0 },
    extra: { metadata: { version: "3" } },
    feedback: [{ key: "correctness", value: "good" }],
    outputs: { nested: { list: ["deep rust", 1] } },
  },
  {
    ...{ id: id(7), name: "Ünïcode 🚀", run_type: "tool", error: "", status: "error" },
    ...{ start_time: "2026-01-03T01:00:00Z", end_time: "2026-01-03T01:00:00Z" },
    extra: { metadata: { env: null } },
  },
  {
    ...{ id: id(8), name: "100%", run_type: "chain", tags: ['a"b'] },
    ...{ start_time: "2026-01-03T23:59:59.999999Z", end_time: "2026-01-04T00:02:00.000000Z" },
    ...{ prompt_tokens: 4000, completion_tokens: 1000, total_cost: 1.25 },
    extra: { metadata: "prod", runtime: { env: "prod" } },
    feedback: [{ key: "correctness", score: true }],
    inputs: { text: "line one\nline two" },
  },
];
