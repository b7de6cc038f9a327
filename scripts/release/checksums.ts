/** The checksums of the files of a package, with which `agentgraph doctor` compares what is installed. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Its name, in the folder that the files are in. It does not list itself. */
export const LIST = "files.sha256";

/** Returns a checksum as `sha256sum --check` reads it. */
export const lineOf = (name: string, body: string | Uint8Array) =>
  `${createHash("sha256").update(body).digest("hex")}  ${name}\n`;

/** Returns the checksums of files, sorted by name. */
export function listOf(files: readonly { name: string; body: string | Uint8Array }[]): string {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, body }) => lineOf(name, body)).join("");
}

/** Adds the list to a tarball of npm: one in the checkout would be out of date. Equalizes the modes of files. */
export async function addList(tarball: string) {
  const { packTar, unpackTar } = await import("modern-tar");
  const compressed = new Blob([await readFile(tarball)]).stream();
  const entries = await unpackTar(compressed.pipeThrough(new DecompressionStream("gzip")));
  const folder = "package/";
  const files = entries.map(({ header: { name, mode = 0 }, data = new Uint8Array() }) => ({
    ...{ name: name.slice(folder.length), body: data },
    mode: mode & 0o100 ? 0o755 : 0o644,
  }));
  const all = [...files, { name: LIST, body: Buffer.from(listOf(files)), mode: 0o644 }];
  const packed = await packTar(
    all.map(({ name, body, mode }) => ({
      header: { name: folder + name, size: body.length, mode, mtime: new Date(0) },
      body,
    })),
  );
  await writeFile(tarball, await promisify(gzip)(packed, { level: 9 }));
}
