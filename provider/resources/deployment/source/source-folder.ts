/** A folder as the source of a deployment: its digest, the same on every machine, and its tarball (API `4A.upload`). */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";
import type { UploadBody } from "../../../http/messages";
import { FileDigests } from "./digests";
import { type Entry, listEntries, SourceError } from "./folder-entries";

export const MAX_TARBALL_BYTES = 200 * 1024 * 1024;

/** The part of a file that is included in the digest of a source. */
export interface SourceEntry {
  /** Relative, with slashes. */
  path: string;
  executable: boolean;
  /** A digest of the bytes, or the target of a link. */
  content: string;
}

/** Returns a digest of names, content, links and executable bits alone. @param platform `process.platform` */
export async function computeDigest(folder: string, digests = new FileDigests(), platform?: string): Promise<string> {
  const entries: SourceEntry[] = [];
  for (const entry of await listEntries(folder, platform)) {
    const { path, executable, link } = entry;
    entries.push({
      path,
      executable,
      content: link === undefined ? await computeContentDigest(entry, digests) : `link ${link}`,
    });
  }
  return computeEntriesDigest(entries);
}

export function computeEntriesDigest(entries: readonly SourceEntry[]): string {
  const hash = createHash("sha256");
  for (const { path, executable, content } of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(JSON.stringify([path, executable, content]));
  return `sha256:${hash.digest("hex")}`;
}

function computeContentDigest(
  { absolute: path, size, modifiedMs, open }: Entry,
  digests: FileDigests,
): Promise<string> {
  return digests.get({ path, size, modifiedMs }, async () => {
    const hash = createHash("sha256");
    await pipeline(open(), hash);
    return hash.digest("hex");
  });
}

/** Packs the folder into a temporary file for a function. @throws SourceError when the tarball is too large. */
export async function withTarball<T>(
  folder: string,
  upload: (tarball: UploadBody) => Promise<T>,
  platform?: string,
): Promise<T> {
  const temporary = await mkdtemp(join(tmpdir(), "agentgraph-source-"));
  const file = join(temporary, "source.tar.gz");
  try {
    await packTarball(await listEntries(folder, platform), file);
    const { size } = await stat(file);
    if (size > MAX_TARBALL_BYTES) {
      throw new SourceError(
        `sourcePath ${resolve(folder)} produces a ${Math.ceil(size / 1024 / 1024)} MiB archive; the limit is ` +
          "200 MiB. Nothing was uploaded. Exclude files with .agentgraphignore.",
      );
    }
    return await upload({ size, type: "application/gzip", open: () => createReadStream(file) });
  } finally {
    // Windows does not remove a file while another program, such as a virus scanner, has it open.
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Maximum size of an entry of a tarball besides its content: headers, a long name, padding. */
const ENTRY_OVERHEAD_BYTES = 4096;

/**
 * Checks the size of the tarball before anything is created. Only folders with large files are packed for this.
 * @throws SourceError when the tarball exceeds the limit of the server. @public Loaded on demand.
 */
export async function assertFits(folder: string): Promise<void> {
  const sizes = (await listEntries(folder)).map(({ size }) => size + ENTRY_OVERHEAD_BYTES);
  const maxSizeBytes = sizes.reduce((sum, size) => sum + size, 0) * 1.01;
  if (maxSizeBytes > MAX_TARBALL_BYTES) await withTarball(folder, async () => undefined);
}

/** Awaits both ends together: otherwise, a full disk would leave the reading end waiting and its error unhandled. */
async function packTarball(entries: Entry[], file: string): Promise<void> {
  const { readable, controller } = createTarPacker();
  const writing = pipeline(
    Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]),
    createGzip(),
    createWriteStream(file),
  );
  await Promise.all([writing, addEntries(controller, entries)]).catch((error: Error) => {
    throw new SourceError(
      `Could not pack the folder into ${file}: ${error.message}. Nothing was uploaded. Free some space, ` +
        "or set TMPDIR to another folder.",
    );
  });
}

type Packer = ReturnType<typeof createTarPacker>["controller"];

async function addEntries(controller: Packer, entries: Entry[]): Promise<void> {
  for (const entry of entries) {
    const common = { name: entry.path, mtime: new Date(0), uid: 0, gid: 0 };
    if (entry.link !== undefined) {
      await controller.add({ ...common, type: "symlink", linkname: entry.link, size: 0 }).close();
      continue;
    }
    const body = controller.add({ ...common, type: "file", size: entry.size, mode: entry.executable ? 0o755 : 0o644 });
    await Readable.toWeb(entry.open()).pipeTo(body);
  }
  controller.finalize();
}
