/** Files that a command is given to read: what is wrong with one is said in a sentence, and none is read without end. */
import { readFile, stat } from "node:fs/promises";
import { UsageError } from "./subcommand";

/** Bytes. A preview of a thousand resources takes some 5 MB. */
export const MAX_INPUT_BYTES = 100_000_000;

/**
 * The bytes of a file.
 * @param remedy What to write into it.
 * @throws UsageError when it cannot be read, or is too large.
 */
export async function readInput(path: string, name: string, remedy: string): Promise<Uint8Array> {
  try {
    assertReadable((await stat(path)).size, name);
    return await readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${name} cannot be read: ${code === "ENOENT" ? "it does not exist" : message}. ${remedy}`);
  }
}

/** All that a stream holds. @throws UsageError when that is too much. */
export async function readStream(stream: AsyncIterable<Uint8Array | string>, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    assertReadable(size, name);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function assertReadable(size: number, name: string): void {
  if (size <= MAX_INPUT_BYTES) return;
  throw new UsageError(`${name} is larger than ${MAX_INPUT_BYTES / 1_000_000} MB, the most that is read.`);
}
