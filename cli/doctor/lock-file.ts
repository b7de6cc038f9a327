/** Checks the lock file of a program: whether there is one, and whether it has the versions that are installed. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { readVersion } from "../shared/version";
import type { Check } from "./check";
import { installedPythonVersion, virtualenvOf } from "./python-packages";

const id = "lock";

interface LockFile {
  file: string;
  /** Command that updates it. */
  update: string;
  /** Matches a package whose name is `NAME`; the first group is its version, if the file contains one. */
  pattern: string;
}

const TOML = String.raw`^name = "NAME"\r?\nversion = "([^"]+)"`;

/** Lock files by language. In other languages, the build tool stops a build that differs, or nothing is locked. */
const LOCK_FILES: Readonly<Record<string, { packages: string[]; files: LockFile[] }>> = {
  nodejs: {
    packages: ["pulumi-agentgraph", "@pulumi/pulumi"],
    files: [
      {
        file: "package-lock.json",
        update: "npm install",
        pattern: String.raw`"(?:[^"\n]*/)?node_modules/NAME": \{(?:\s+"version": "([^"]+)")?`,
      },
      { file: "pnpm-lock.yaml", update: "pnpm install", pattern: String.raw`^ +'?/?NAME@(?:(\d[\w.+-]*)['(:]|\w+:)` },
      {
        file: "yarn.lock",
        update: "yarn install",
        pattern: String.raw`^"?NAME@[^\n]*:\r?\n {2}version:? "?(?:0\.0\.0-use\.local|([^"\s]+))`,
      },
      { file: "bun.lock", update: "bun install", pattern: String.raw`"NAME": \["NAME@(?:(\d[\w.+-]*)"|\w+:)` },
    ],
  },
  python: {
    packages: ["pulumi-agentgraph", "pulumi"],
    files: [
      { file: "uv.lock", update: "uv lock", pattern: TOML },
      { file: "poetry.lock", update: "poetry lock", pattern: TOML },
      {
        file: "Pipfile.lock",
        update: "pipenv lock",
        pattern: String.raw`"NAME": \{(?:[^}]*"version": "==([^"]+)")?`,
      },
    ],
  },
};

/** @param project Folder of the project file. @param program Folder of the program. */
export function checkLockFile(runtime: string, project: string, program: string): Check[] {
  const locks = LOCK_FILES[runtime];
  if (!locks) return [];
  const files = findLockFiles(program, locks.files);
  const names = locks.files.map(({ file }) => file).join(", ");
  if (files.length === 0) {
    const remedy = "Commit the lock file of your package manager, so that every machine installs the same versions.";
    return [{ id, status: "note", message: `no lock file of ${program} (${names})`, remedy }];
  }
  const installed = (name: string) =>
    runtime === "python" ? installedPythonVersion(name, virtualenvOf(project)) : installedNodeVersion(name, program);
  const found = locks.packages.flatMap((name) => {
    const version = installed(name);
    return version === undefined ? [] : [{ name, version }];
  });
  return files.map((lock) => checkVersions(lock, found));
}

interface FoundLockFile extends LockFile {
  path: string;
}

/** Returns the lock files of the nearest folder that has any, from the program up to the root of its repository. */
function findLockFiles(folder: string, files: readonly LockFile[]): FoundLockFile[] {
  const found = files
    .map((lock) => ({ ...lock, path: join(folder, lock.file) }))
    .filter(({ path }) => existsSync(path));
  const parent = dirname(folder);
  return found.length > 0 || parent === folder || existsSync(join(folder, ".git"))
    ? found
    : findLockFiles(parent, files);
}

function checkVersions(lock: FoundLockFile, installed: readonly { name: string; version: string }[]): Check {
  const { path, update, pattern } = lock;
  const text = readFileSync(path, "utf8");
  for (const { name, version } of installed) {
    const matches = [...text.matchAll(new RegExp(pattern.replaceAll("NAME", name), "gm"))];
    const locked = matches.map(([, one]) => one);
    // A package of a folder or a URL may be locked without its version.
    if (locked.some((one) => one === undefined || one === version)) continue;
    const message =
      locked.length === 0
        ? `${path} does not contain ${name}, which is installed`
        : `${path} has ${name} ${locked.join(" and ")}, but ${version} is installed`;
    const remedy = `Run \`${update}\` and commit ${lock.file}, or install the versions that it has.`;
    return { id, status: "fix", message, remedy };
  }
  return { id, status: "ok", message: `${path} has the installed versions` };
}

/** Returns the version of an installed npm package; undefined if it is missing, or a link to a folder such as a checkout. */
function installedNodeVersion(name: string, program: string): string | undefined {
  try {
    const manifest = createRequire(join(program, "_")).resolve(`${name}/package.json`);
    return realpathSync(manifest).includes(`${sep}node_modules${sep}`) ? readVersion(manifest) : undefined;
  } catch {
    return undefined;
  }
}
