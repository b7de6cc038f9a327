import { ApiError } from "../runtime/errors";
import { findJsonError } from "../runtime/validation/json";
import { isObject } from "../runtime/validation/validator";
import type { Batch } from "./load-batches";
import type { RunInput } from "./read-run";

/** Size of a batch: large enough to be fast, small enough to serve other requests soon. */
export const batchRuns = 2000;
const batchBytes = 4 * 1024 * 1024;

const maxLineBytes = 32 * 1024 * 1024;
/** SQLite supports JSON up to a depth of 1000. */
const maxDepth = 500;

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
    if (batch.runs.length < batchRuns && bytes < batchBytes) continue;
    yield batch;
    batch = { runs: [], origins: [] };
    bytes = 0;
  }
  if (batch.runs.length > 0) yield batch;
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  // Chunks of an incomplete line.
  let pieces: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const last = chunk.subarray(from, end);
      yield { number, bytes: Buffer.concat([...pieces, last]) };
      number++;
      pieces = [];
      held = 0;
      from = end + 1;
    }
    pieces.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > maxLineBytes) throw new ApiError(422, `line ${number}: longer than ${maxLineBytes} bytes`);
  }
  if (held > 0) yield { number, bytes: Buffer.concat(pieces) };
}

function parseLine(text: string, number: number): RunInput {
  let run: unknown;
  try {
    run = JSON.parse(text);
  } catch {
    const { message, position } = findJsonError(text);
    throw new ApiError(422, `line ${number}: invalid JSON: ${message} at character ${position}`);
  }
  if (!isObject(run)) throw new ApiError(422, `line ${number}: expected a JSON object (one run per line)`);
  if (isDeep(run)) throw new ApiError(422, `line ${number}: nested deeper than ${maxDepth} levels`);
  return run as unknown as RunInput;
}

function isDeep(value: unknown, levels = maxDepth): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeep(item, levels - 1));
}
