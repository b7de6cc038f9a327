/** The folder of the adopted program: what is written into it, and never over what somebody else wrote. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { PROJECT_FILES } from "../shared/project";
import { UsageError } from "../shared/subcommand";
import { ownVersion } from "../shared/version";
import type { Files } from "./program";

/** Of every adopted program. */
export const ALWAYS = ["index.ts", "import.json", "README.md"] as const;

/**
 * The commands are the same for every program, so they are refused before the service is asked.
 * @throws UsageError naming the files that are there.
 */
export function assertFree(folder: string, names: readonly string[], force: boolean): void {
  const there = names.filter((name) => existsSync(join(folder, name)));
  if (force || there.length === 0) return;
  throw new UsageError(
    `${folder} already holds ${there.join(", ")}: nothing was written. Name another folder with --out, or write over them with --force.`,
  );
}

/** Whether the folder is a Pulumi project already. */
const isProject = (folder: string): boolean => PROJECT_FILES.some((name) => existsSync(join(folder, name)));

const OWN = "pulumi-agentgraph";

interface Package {
  type?: unknown;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** What the folder's package.json says; nothing where there is none that can be read. */
function packageOf(folder: string): Package {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
  } catch {
    return {};
  }
}

/** Whether Node takes the folder's files for ES modules. */
export const isOfModules = (folder: string): boolean => packageOf(folder).type === "module";

/** This package as it was installed where the command was called: from a file, it is in no registry. */
function ownSpecifier(folder: string, from: string): string {
  for (let at = from; ; at = dirname(at)) {
    const { dependencies, devDependencies } = packageOf(at);
    const [, kind, path = ""] = /^(file|link):(.+)/.exec({ ...devDependencies, ...dependencies }[OWN] ?? "") ?? [];
    if (kind !== undefined) return `${kind}:${relative(folder, resolve(at, path))}`;
    if (dirname(at) === at) return `^${ownVersion()}`;
  }
}

/**
 * The files of a project that are not there yet; those that are stay as they are.
 * @param from The folder that the command was called in.
 */
export function missingFiles(folder: string, from: string): Files {
  const name = basename(folder).replace(/[^A-Za-z0-9_.-]+/g, "-") || "agents";
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const usual: Files = {
    "package.json": json({
      name: name.toLowerCase(),
      private: true,
      dependencies: { "@pulumi/pulumi": "^3.216.0", [OWN]: ownSpecifier(folder, from) },
      // Without it the engine compiles with the one of its own, which is of 2020 and knows nothing of `nodenext`.
      devDependencies: { typescript: "^6.0.3" },
    }),
    "tsconfig.json": json({
      compilerOptions: { target: "ES2022", module: "nodenext", strict: true, skipLibCheck: true, noEmit: true },
      files: ["index.ts"],
    }),
  };
  // What a package compiles with, and how, is its author's choice.
  const ofPackage = existsSync(join(folder, "package.json")) ? {} : usual;
  const all = { ...ofPackage, ...(!isProject(folder) && { "Pulumi.yaml": `name: ${name}\nruntime: nodejs\n` }) };
  return Object.fromEntries(Object.entries(all).filter(([file]) => !existsSync(join(folder, file))));
}

/** All or, where one is in the way, none. */
export async function writeAll(folder: string, files: Files, force: boolean): Promise<void> {
  assertFree(folder, Object.keys(files), force);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text, { flag: force ? "w" : "wx" });
  }
}
