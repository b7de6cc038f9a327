/** Writes the folder of the adopted program, without overwriting files of others. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { portablePath } from "../shared/portable-path";
import { PROJECT_FILES } from "../shared/pulumi/project";
import { UsageError } from "../shared/subcommand";
import { packageFolder, packageVersion } from "../shared/version";
import type { Files } from "./program/language";

/**
 * Checks that a folder contains none of these files. Called before the first request.
 * @throws UsageError that names the existing files.
 */
export function assertNotExisting(folder: string, names: readonly string[], force: boolean): void {
  const existing = names.filter((name) => existsSync(join(folder, name)));
  if (force || existing.length === 0) return;
  throw new UsageError(
    `${folder} already contains ${existing.join(", ")}. Nothing was written. Choose another folder with ` +
      "--out, or overwrite the files with --force.",
  );
}

/** Whether the folder is a Pulumi project. */
const isProject = (folder: string): boolean => PROJECT_FILES.some((name) => existsSync(join(folder, name)));

export const PACKAGE_NAME = "pulumi-agentgraph";

interface Package {
  type?: unknown;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  /** What npm installed, in the lock file of a folder node_modules. */
  packages?: Record<string, { resolved?: string } | undefined>;
}

/** Returns the package.json of a folder, or another file of npm; an empty one if it cannot be read. */
function readPackage(folder: string, file = "package.json"): Package {
  try {
    return JSON.parse(readFileSync(join(folder, file), "utf8")) as Package;
  } catch {
    return {};
  }
}

/** Whether Node treats the files of the folder as ES modules. */
export const usesEsModules = (folder: string): boolean => readPackage(folder).type === "module";

/** Dependencies that npm fetches from an address, which is the same from every folder. */
const WITH_ADDRESS = /^(https?:|git|[^:/]+\/|npm:)/;

/**
 * Returns the dependency on this package as the calling project declares it. A project without it gets the package that
 * runs, since a version that was not installed from a registry may be in none.
 * @param running The folder of the package that runs.
 */
export function packageSpecifier(folder: string, from: string, running = packageFolder()): string {
  for (let at = from; ; at = dirname(at)) {
    const { dependencies, devDependencies } = readPackage(at);
    const declared = { ...devDependencies, ...dependencies }[PACKAGE_NAME];
    if (declared !== undefined) return fromFolder(declared, at, folder) ?? `^${packageVersion()}`;
    if (dirname(at) === at) return runningPackage(folder, running);
  }
}

/** Returns a dependency as another folder declares it; undefined for a version. */
function fromFolder(specifier: string, at: string, folder: string): string | undefined {
  const [, kind, path = ""] = /^(file|link):(.+)/.exec(specifier) ?? [];
  if (kind !== undefined) return `${kind}:${portablePath(folder, resolve(at, path))}`;
  return WITH_ADDRESS.test(specifier) ? specifier : undefined;
}

/** Returns the dependency on a package: its version if npm installed it from a registry. */
function runningPackage(folder: string, running: string): string {
  const source = installedFrom(running);
  if (isRegistry(source)) return `^${packageVersion()}`;
  return fromFolder(source, join(running, "../.."), folder) ?? `file:${portablePath(folder, running)}`;
}

/** Returns the address or the file that npm installed a package from; empty if another tool did, or none. */
function installedFrom(packageFolder: string): string {
  const { packages } = readPackage(join(packageFolder, ".."), ".package-lock.json");
  return packages?.[`node_modules/${PACKAGE_NAME}`]?.resolved ?? "";
}

const isRegistry = (source: string) => /^https?:/.test(source);

/** Whether npm installed the package that contains this code from a registry, so that every machine can. */
export const isFromRegistry = (): boolean => isRegistry(installedFrom(packageFolder()));

/** Returns the name of a new project in this folder. */
export const projectName = (folder: string): string => basename(folder).replace(/[^A-Za-z0-9_.-]+/g, "-") || "agents";

/**
 * Returns those files of a new project that the folder does not have. A Pulumi project keeps its file, whatever its
 * extension.
 */
export function missingFiles(folder: string, files: Files): Files {
  const isMissing = (name: string) =>
    !existsSync(join(folder, name)) && !(PROJECT_FILES.includes(name) && isProject(folder));
  return Object.fromEntries(Object.entries(files).filter(([name]) => isMissing(name)));
}

/** Writes all files, or none if one of them exists and `force` is false. */
export async function writeFiles(folder: string, files: Files, force: boolean): Promise<void> {
  assertNotExisting(folder, Object.keys(files), force);
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text, { flag: force ? "w" : "wx" });
  } catch (error) {
    throw new UsageError(`Cannot write to ${folder}: ${(error as Error).message}. Choose another folder with --out.`);
  }
}
