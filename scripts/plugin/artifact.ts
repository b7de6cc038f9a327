/** Builds a file or folder only if its sources changed since the last build. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { withLock } from "../setup/lock.mjs";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { step } from "../setup/step.mjs";

interface Artifact {
  path: string;
  /** What the progress line calls it. */
  what: string;
  /** Returns a fingerprint of its sources. */
  sources: () => Promise<string>;
  build: (status: (text: string) => void) => Promise<void>;
}

/** Builds an artifact, and only once for concurrent processes. Returns its path. */
export async function ensureArtifact({ path, what, sources, build }: Artifact): Promise<string> {
  const stamp = join(PRIVATE, `built-plugin-${relative(join(ROOT, "build"), path).replaceAll("/", "-")}`);
  const isCurrent = async () =>
    existsSync(path) && (await readFile(stamp, "utf8").catch(() => "")) === (await sources());
  if (await isCurrent()) return path;
  await withLock(`${stamp}.lock`, "Plugin", async () => {
    if (await isCurrent()) return;
    // Taken before the build, so that files that are edited meanwhile are built the next time.
    const fresh = await sources();
    // An interrupted build leaves no stamp, so the next one starts over.
    await rm(stamp, { force: true });
    await step("Plugin", what, build);
    await writeFile(stamp, fresh);
  });
  return path;
}

/** Hashes names, sizes and times of sources, which also detects a removed file or an older checkout. */
export async function fingerprint({ files, folders = [] }: { files: string[]; folders?: string[] }) {
  const hash = createHash("sha256");
  const all = ["package-lock.json", ...files];
  for (const folder of folders) {
    const names = await readdir(join(ROOT, folder), { recursive: true });
    all.push(...names.filter((name) => /\.(tsx?|mjs|css|html)$/.test(name)).map((name) => join(folder, name)));
  }
  for (const file of all.sort()) {
    const { size, mtimeMs } = await stat(join(ROOT, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/** Writes a file in one step, since an engine may be starting it. */
export async function writeInOneStep(file: string, contents: string | Uint8Array, mode = 0o644) {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.draft-${process.pid}`;
  await writeFile(draft, contents);
  await chmod(draft, mode);
  await rename(draft, file);
}

/** Formats a size: "2.3 MB". */
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
