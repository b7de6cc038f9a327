/** The files of a folder that is the source of a deployment, without ignored ones. */
import { createReadStream } from "node:fs";
import { lstat, readdir, readFile, readlink, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import ignore, { type Ignore } from "ignore";
import { UserError } from "../../../text/user-error";
import { type IndexedFile, readGitIndex } from "./git-index";

/** Ignore files in any folder, with the rules of .gitignore. */
const IGNORE_FILES = [".gitignore", ".agentgraphignore"];
const ALWAYS_IGNORED: ReadonlySet<string> = new Set([".git"]);

export interface Entry {
  /** Relative to the folder, with slashes. */
  path: string;
  absolute: string;
  size: number;
  modifiedMs: number;
  executable: boolean;
  /** Target of a symbolic link, unresolved. */
  link?: string;
  open(): Readable;
}

export class SourceError extends UserError {
  override name = "SourceError";
}

/** @throws SourceError when there is no folder, or nothing in it. @param platform `process.platform` */
export async function listEntries(folder: string, platform: string = process.platform): Promise<Entry[]> {
  const root = resolve(folder);
  const stats = await stat(root).catch(() => undefined);
  if (!stats?.isDirectory())
    throw new SourceError(
      `sourcePath ${root} is neither a folder nor a .tar.gz file. Correct the path; a relative one ` +
        "starts at the program's folder.",
    );
  const indexed = platform === "win32" ? await readGitIndex(root) : undefined;
  const entries = await walkFolder(root, "", [], indexed);
  if (entries.length === 0)
    throw new SourceError(
      `sourcePath ${root} contains no files, or all are ignored. Check .gitignore and .agentgraphignore, ` +
        "and build the files first.",
    );
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface ScopedIgnore {
  below: string;
  rules: Ignore;
}

/** @param indexed What git stores about the files; only on Windows. */
async function walkFolder(
  root: string,
  below: string,
  inherited: ScopedIgnore[],
  indexed: ReadonlyMap<string, IndexedFile> | undefined,
): Promise<Entry[]> {
  const folder = join(root, below);
  const rules = [...inherited, ...(await readIgnoreFiles(folder, below))];
  const entries: Entry[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = below + entry.name;
    if (ALWAYS_IGNORED.has(entry.name) || isIgnored(entry.isDirectory() ? `${path}/` : path, rules)) continue;
    if (entry.isDirectory()) {
      for (const inner of await walkFolder(root, `${path}/`, rules, indexed)) entries.push(inner);
    } else if (entry.isFile() || entry.isSymbolicLink()) {
      // macOS may return the letters and accents of a name apart, so that its digest would differ from that on Linux.
      const file = await toEntry(join(folder, entry.name), path.normalize("NFC"));
      entries.push(indexed ? await toEntryOfCheckout(file, indexed.get(path)) : file);
    }
  }
  return entries;
}

async function toEntry(absolute: string, path: string): Promise<Entry> {
  const stats = await lstat(absolute);
  const { size, mtimeMs, mode } = stats;
  const link = stats.isSymbolicLink() ? await readlink(absolute) : undefined;
  return {
    path,
    absolute,
    size,
    modifiedMs: mtimeMs,
    executable: link === undefined && (mode & 0o100) !== 0,
    ...(link !== undefined && { link }),
    open: () => createReadStream(absolute),
  };
}

async function toEntryOfCheckout(entry: Entry, indexed: IndexedFile | undefined): Promise<Entry> {
  if (entry.link !== undefined) return { ...entry, link: entry.link.replaceAll("\\", "/") };
  if (!indexed) return entry;
  const { executable, isLink, isConverted } = indexed;
  if (isLink) return { ...entry, link: await readFile(entry.absolute, "utf8") };
  if (!isConverted) return { ...entry, executable };
  // Latin-1 has a character for each byte.
  const text = (await readFile(entry.absolute, "latin1")).replaceAll("\r\n", "\n");
  return { ...entry, executable, size: text.length, open: () => Readable.from([Buffer.from(text, "latin1")]) };
}

async function readIgnoreFiles(folder: string, below: string): Promise<ScopedIgnore[]> {
  const texts = await Promise.all(IGNORE_FILES.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  const text = texts.join("\n");
  return text.trim() === "" ? [] : [{ below, rules: ignore({ ignorecase: false }).add(text) }];
}

/** Whether a path is ignored. As in git, the last matching rule wins, and rules of deeper folders come later. */
function isIgnored(path: string, rules: ScopedIgnore[]): boolean {
  return rules.reduce((ignored, { below, rules: scoped }) => {
    const result = scoped.test(path.slice(below.length));
    return result.unignored ? false : ignored || result.ignored;
  }, false);
}
