/** Sample trace runs for export tests, and the rows that their files must contain. */
import type { RunInput } from "../../../emulator/src";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
export const DAY_MS = 24 * HOUR_MS;

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Returns a run every 20 minutes over three days. Each field is missing in some runs. */
export function threeDaysOfRuns(startMs: number, firstNumber: number): RunInput[] {
  return Array.from({ length: 3 * 72 }, (_, index) => createRun(firstNumber + index, startMs + index * 20 * MINUTE_MS));
}

function createRun(number: number, start: number): RunInput {
  const every = <T>(divisor: number, value: T): T | undefined => (number % divisor === 0 ? value : undefined);
  return {
    id: idOf(number),
    name: ["turn", "call", "la tâche"][number % 3] ?? "",
    run_type: ["chain", "llm", "tool"][number % 3] ?? "",
    start_time: new Date(start).toISOString().replace("Z", `${String(number % 1000).padStart(3, "0")}Z`),
    end_time: number % 7 === 0 ? undefined : new Date(start + ((number % 11) + 1) * 1000).toISOString(),
    status: number % 5 === 0 ? "error" : "success",
    error: every(5, `it's "late"\n${number}`),
    inputs: number % 4 === 0 ? undefined : { question: `'${number}' – ü?`, deep: [{ none: null }] },
    tags: [undefined, [], ["prod", `t${number}`]][number % 3],
    extra: { metadata: { env: number % 2 === 0 ? "prod" : "test" } },
    prompt_tokens: number % 6 === 0 ? undefined : number,
    total_cost: number % 6 === 0 ? undefined : number / 1024,
  };
}

/** Columns of a run that DuckDB reads from the files. */
export const SELECT_COLUMNS = `id, name, run_type,
  epoch_us(start_time)::DOUBLE AS began, epoch_us(end_time)::DOUBLE AS ended,
  status, error, inputs, outputs, tags, prompt_tokens::INT AS tokens, total_cost`;

/** Returns the row that DuckDB must read for a run. */
export function expectedRow(run: RunInput): object {
  const { id, name, run_type, start_time, end_time, status, error, inputs, tags, prompt_tokens, total_cost } = run;
  return {
    ...{ id, name, run_type, status, outputs: null },
    began: Date.parse(start_time) * 1000 + Number(start_time.slice(-4, -1)),
    ended: end_time ? Date.parse(end_time) * 1000 : null,
    error: error ?? null,
    inputs: inputs === undefined ? null : JSON.stringify(inputs),
    tags: tags ?? null,
    tokens: prompt_tokens ?? null,
    total_cost: total_cost ?? null,
  };
}

/** A filter with each kind of condition. */
export const FILTER =
  'and(or(eq(run_type, "llm"), has(tags, "prod")), gt(latency, "3s"), neq(error, null), eq(metadata_key, ' +
  '"env"), eq(metadata_value, "prod"))';
