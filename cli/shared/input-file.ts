/** Reads text from input files and streams, up to a maximum size. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { UsageError } from "./subcommand";

/** Bytes. A preview of a thousand resources has about 5 MB. */
export const MAX_INPUT_BYTES = 100_000_000;

/**
 * Returns the content of a file.
 * @param remedy How to create the file, as a sentence for the error.
 * @throws UsageError if it cannot be read or is larger than MAX_INPUT_BYTES.
 */
export async function readInputFile(path: string, name: string, remedy: string): Promise<string> {
  try {
    assertSize((await stat(path)).size, name);
    // A pipe or a device has no size, and may never end.
    return await readStream(createReadStream(path), name);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`Cannot read ${name}: ${code === "ENOENT" ? "the file does not exist" : message}. ${remedy}`);
  }
}

/** Returns the content of a stream. @throws UsageError if it is larger than MAX_INPUT_BYTES. */
export async function readStream(stream: AsyncIterable<Uint8Array | string>, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    assertSize(size, name);
    chunks.push(bytes);
  }
  return decode(Buffer.concat(chunks));
}

/** Redirection on Windows writes UTF-16, or UTF-8 with a byte order mark. */
function decode(bytes: Uint8Array): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}

function assertSize(size: number, name: string): void {
  if (size <= MAX_INPUT_BYTES) return;
  throw new UsageError(`${name} exceeds the limit of ${MAX_INPUT_BYTES / 1_000_000} MB. Pass a smaller one.`);
}
