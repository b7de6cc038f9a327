/** Compares installed files with the checksums that a release contains. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Check } from "../../shared/check";
import { packageFolder, packageVersion } from "../../shared/version";
import type { FoundPlugin } from "./find-plugin";

/** What a release adds to a package. `sha256sum --check` reads it. */
const LIST = "files.sha256";
const LINE = /^([0-9a-f]{64}) {2}(.+)$/;
const MAX_NAMES = 5;

/** Folders that package managers write, and Node, which stores compiled code beside the plugin. */
const IGNORED = ["node_modules", "cache", "build/plugin/cache"];

/** Checks the package that contains this command. */
export const checkOwnFiles = () => checkFiles(`pulumi-agentgraph ${packageVersion()}`, packageFolder());

/** Checks a plugin from an archive or a wheel, or the other npm package that it is in. */
export async function checkPluginFiles(plugin: FoundPlugin | undefined): Promise<Check[]> {
  if (!plugin?.exists) return [];
  const folder = [plugin.folder, join(plugin.folder, "../..")].find((one) => existsSync(join(one, LIST)));
  if (folder === undefined || folder === realpathSync(packageFolder())) return [];
  return [await checkFiles(`plugin agentgraph ${plugin.version ?? "of unknown version"}`, folder)];
}

/** @param what Such as "pulumi-agentgraph 0.1.0". */
export async function checkFiles(what: string, folder: string): Promise<Check> {
  const id = "files";
  const path = join(folder, LIST);
  if (!existsSync(path)) {
    const message = `${what}, in ${folder}, has no checksums to compare with: a clone, or no package of a release`;
    return { id, status: "note", message };
  }
  const list = await readFile(path);
  const expected = new Map(list.toString().split("\n").flatMap(parseLine));
  const problems = await compare(folder, expected);
  const sum = `sha256 of ${LIST}: ${sha256(list)}`;
  if (problems.length === 0) {
    return { id, status: "ok", message: `${what}: ${expected.size} files are those of the release; ${sum}` };
  }
  const more = problems.length > MAX_NAMES ? `, and ${problems.length - MAX_NAMES} more` : "";
  return {
    id,
    status: "fix",
    message: `${what}: not as in the release: ${problems.slice(0, MAX_NAMES).join(", ")}${more}`,
    remedy: `Find out what changed them, delete ${folder} and install it again.`,
  };
}

function parseLine(line: string): [name: string, sum: string][] {
  const [, sum, name] = LINE.exec(line) ?? [];
  return name && sum ? [[name, sum]] : [];
}

/** Returns each file that differs, with how. Compares only contents, since package managers normalize modes. */
async function compare(folder: string, expected: ReadonlyMap<string, string>) {
  const differences = [...expected].map(async ([name, sum]) => {
    const contents = await readFile(join(folder, name)).catch(() => undefined);
    if (contents === undefined) return `${name} (missing)`;
    return sha256(contents) === sum ? [] : `${name} (changed)`;
  });
  const added = filesIn(folder).filter((name) => name !== LIST && !expected.has(name));
  return [...(await Promise.all(differences)).flat(), ...added.map((name) => `${name} (added)`)].sort();
}

function filesIn(root: string, folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const name = relative(root, path).replaceAll(sep, "/");
    if (!entry.isDirectory()) return [name];
    return IGNORED.includes(name) ? [] : filesIn(root, path);
  });
}

const sha256 = (contents: Uint8Array) => createHash("sha256").update(contents).digest("hex");
