import { ApiError } from "../runtime/errors";
import { findJsonError } from "../runtime/validation/json";
import { isObject } from "../runtime/validation/validator";
import type { Batch } from "./load-batches";
import type { UncheckedRun } from "./read-run";

/** Size of a batch: large enough to be fast, small enough to serve other requests soon. */
export const MAX_BATCH_RUNS = 2000;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** SQLite supports JSON up to a depth of 1000. */
const MAX_DEPTH = 500;

interface Line {
  number: number;
  bytes: Buffer;
}

/**
 * Parses newline-delimited JSON as it arrives, with at most one batch and one line in memory. Empty lines count as
 * lines.
 */
export async function* readBatches(body: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  let batch: Batch = { runs: [], origins: [] };
  let bytes = 0;
  for await (const line of readLines(body)) {
    const text = line.bytes.toString().trim();
    if (text === "") continue;
    batch.runs.push(parseLine(text, line.number));
    batch.origins.push(`line ${line.number}`);
    bytes += line.bytes.length;
    if (batch.runs.length < MAX_BATCH_RUNS && bytes < MAX_BATCH_BYTES) continue;
    yield batch;
    batch = { runs: [], origins: [] };
    bytes = 0;
  }
  if (batch.runs.length > 0) yield batch;
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  // Chunks of an incomplete line.
  let chunks: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const last = chunk.subarray(from, end);
      yield { number, bytes: Buffer.concat([...chunks, last]) };
      number++;
      chunks = [];
      pendingBytes = 0;
      from = end + 1;
    }
    chunks.push(chunk.subarray(from));
    pendingBytes += chunk.length - from;
    if (pendingBytes > MAX_LINE_BYTES) throw new ApiError(422, `line ${number}: longer than ${MAX_LINE_BYTES} bytes`);
  }
  if (pendingBytes > 0) yield { number, bytes: Buffer.concat(chunks) };
}

function parseLine(text: string, number: number): UncheckedRun {
  let run: unknown;
  try {
    run = JSON.parse(text);
  } catch {
    const { message, position } = findJsonError(text);
    throw new ApiError(422, `line ${number}: invalid JSON: ${message} at character ${position}`);
  }
  if (!isObject(run)) throw new ApiError(422, `line ${number}: expected a JSON object (one run per line)`);
  if (isDeep(run)) throw new ApiError(422, `line ${number}: nested deeper than ${MAX_DEPTH} levels`);
  return run;
}

function isDeep(value: unknown, maxDepth = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return maxDepth === 0 || Object.values(value).some((item) => isDeep(item, maxDepth - 1));
}
