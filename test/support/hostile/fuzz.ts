/** Runs an operation against responses with one hostile field each: every field of every response that it receives. */
import fc from "fast-check";
import { hostileJson } from "../arbitraries/hostile-json";
import { SHARE } from "../run/runs";
import { describeField, type Field, fieldsOf, replaceField } from "./fields";
import { HostileServer } from "./hostile-server";
import type { Exchange } from "./recording";
import { hostileResponse, withResponse } from "./responses";

const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** What every run stays within, on a busy machine too. */
const MAX_RUN_MS = 20_000;

export interface FuzzedOperation {
  name: string;
  /** What a correct server responds. */
  exchanges: readonly Exchange[];
  act(url: string): Promise<unknown>;
  /** Throws for an error that the operation must not fail with. */
  checkError(error: unknown, field: Field): void;
  /** Runs per field; below 1, only this share of the fields runs. */
  runs: number;
  /** Values that once broke a rule, by field. They always run. */
  examples?: Readonly<Record<string, readonly (string | undefined)[]>>;
}

/**
 * Jest fails a test that leaves a rejection unhandled.
 * @throws Error that names operation, field and value of a run that broke a rule.
 */
export async function fuzzFields(operation: FuzzedOperation): Promise<void> {
  const { name, exchanges, runs, examples = {} } = operation;
  const server = await HostileServer.start();
  let total = 0;
  for (const [index, field] of exchanges.flatMap(({ body }, at) => fieldsOf(at, body)).entries()) {
    const what = `${name}: ${describeField(field)} of ${exchanges[field.exchange]?.route}`;
    const regressions = (examples[describeField(field)] ?? []).map((value) => [value] as [string | undefined]);
    const randomRuns = runsOf(runs * SHARE, index);
    if (randomRuns + regressions.length === 0) continue;
    const property = fc.asyncProperty(hostileJson, async (text) => {
      total += 1;
      server.play(
        exchanges.map((exchange, at) =>
          at === field.exchange ? { ...exchange, body: replaceField(exchange.body, field.path, text) } : exchange,
        ),
      );
      await runOnce(server, operation, field);
    });
    const { failed, counterexample, errorInstance } = await fc.check(property, {
      ...{ numRuns: randomRuns + regressions.length, examples: regressions, seed: SEED + index },
    });
    if (!failed) continue;
    const [value] = counterexample ?? [];
    const shown = value === undefined ? "missing" : value.length > 300 ? `${value.slice(0, 300)}…` : value;
    throw new Error(`${what} is ${shown}: ${(errorInstance as Error)?.stack ?? errorInstance}`);
  }
  if (SHARE > 1) process.stderr.write(`${name}: ${total} runs\n`);
}

/**
 * Runs an operation against responses with a hostile status or hostile headers.
 * @throws Error that names operation, request and response of a run that broke a rule.
 */
export async function fuzzResponses({ name, exchanges, runs, ...operation }: FuzzedOperation): Promise<void> {
  const server = await HostileServer.start();
  for (const [index, { route }] of exchanges.entries()) {
    const property = fc.asyncProperty(hostileResponse, async (response) => {
      server.play(exchanges.map((exchange, at) => (at === index ? withResponse(exchange, response) : exchange)));
      await runOnce(server, operation, wholeBody(index));
    });
    const { failed, counterexample, errorInstance } = await fc.check(property, {
      ...{ numRuns: Math.ceil(runs * SHARE), seed: SEED + index },
    });
    if (failed)
      throw new Error(
        `${name}: ${route} with ${JSON.stringify(counterexample?.[0])}: ` +
          `${(errorInstance as Error)?.stack ?? errorInstance}`,
      );
  }
}

const wholeBody = (exchange: number): Field => ({ exchange, path: [], isLeaf: false });

/** Returns the runs of a field: the same share of all fields in each run of the tests. */
const runsOf = (perField: number, index: number) =>
  perField >= 1 ? Math.ceil(perField) : Number((index + SEED) % Math.round(1 / perField) === 0);

/** Lets the operation act on what the server plays. */
async function runOnce(
  server: HostileServer,
  { act, checkError }: Pick<FuzzedOperation, "act" | "checkError">,
  field: Field,
): Promise<void> {
  await within(MAX_RUN_MS, act(server.url)).catch((error: unknown) => checkError(error, field));
  if (server.isExhausted) throw new Error(`more than ${server.requests - 1} requests`);
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result after ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
