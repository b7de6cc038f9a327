/** A tarball that a pipeline packed, as the source of a deployment: `sourcePath` is the path of the file. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createGunzip } from "node:zlib";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import type { UploadBody } from "../../../http/messages";
import { messageOf } from "../../../text/user-error";
import { FileDigests } from "./digests";
import { SourceError } from "./folder-entries";
import { computeEntriesDigest, MAX_TARBALL_BYTES, type SourceEntry } from "./source-folder";

/** Returns the digest of a folder with these files, independent of times. @throws SourceError for no tarball. */
export async function computeDigest(file: string, digests = new FileDigests()): Promise<string> {
  const path = resolve(file);
  const { size, mtimeMs: modifiedMs } = await stat(path);
  return digests.get({ path, size, modifiedMs }, async () => computeEntriesDigest(await listEntries(path)));
}

/** @throws SourceError when the file exceeds the limit of the server. */
export async function assertFits(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size <= MAX_TARBALL_BYTES) return;
  throw new SourceError(
    `sourcePath ${resolve(file)} is ${Math.ceil(size / 1024 / 1024)} MiB; the limit is 200 MiB. Nothing ` +
      "was uploaded. Exclude dependencies, models and data.",
  );
}

/** Passes the file to a function unchanged. @throws SourceError when it exceeds the limit of the server. */
export async function withTarball<T>(file: string, upload: (tarball: UploadBody) => Promise<T>): Promise<T> {
  await assertFits(file);
  const { size } = await stat(file);
  return upload({ size, type: "application/gzip", open: () => createReadStream(file) });
}

async function listEntries(path: string): Promise<SourceEntry[]> {
  const entries: SourceEntry[] = [];
  try {
    const unpacked = createGunzip();
    createReadStream(path)
      .on("error", (error) => unpacked.destroy(error))
      .pipe(unpacked);
    const archive = Readable.toWeb(unpacked) as unknown as globalThis.ReadableStream<Uint8Array>;
    for await (const entry of archive.pipeThrough(
      createTarDecoder({ strict: true }),
    ) as unknown as ReadableStream<ParsedTarEntry>)
      entries.push(...(await toEntries(entry)));
  } catch (error) {
    throw new SourceError(
      `sourcePath ${path} is neither a folder nor a .tar.gz file (${messageOf(error)}). Correct the ` +
        "path, or pack the file again.",
    );
  }
  if (entries.length === 0) throw new SourceError(`sourcePath ${path} contains no files. Pack it again.`);
  return entries;
}

/** Returns the entry; none for folders and for metadata of the format. */
async function toEntries({ header, body }: ParsedTarEntry): Promise<SourceEntry[]> {
  const { type = "file", name, linkname, mode = 0 } = header;
  const path = name.replace(/^(\.\/)+/, "");
  const hash = createHash("sha256");
  for await (const part of body as unknown as ReadableStream<Uint8Array>) hash.update(part);
  if (type === "file") return [{ path, executable: (mode & 0o100) !== 0, content: hash.digest("hex") }];
  if (type === "symlink" || type === "link")
    return [{ path, executable: false, content: `${type === "link" ? "hard " : ""}link ${linkname}` }];
  return [];
}
