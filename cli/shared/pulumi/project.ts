/** Finds and reads the Pulumi project of a folder. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** Returns the nearest folder, from this one upward, that contains a Pulumi project. */
export function findProjectFolder(folder: string): string | undefined {
  const isProjectFolder = PROJECT_FILES.some((file) =>
    statSync(join(folder, file), { throwIfNoEntry: false })?.isFile(),
  );
  if (isProjectFolder) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findProjectFolder(parent);
}

/** Returns a top-level string of the project file in this folder, such as its `name`. */
export const readProjectField = (folder: string, field: "name" | "main"): string | undefined =>
  textAt(readProject(folder), field);

/** Returns the language runtime of the project in this folder, such as "nodejs". */
export const readRuntime = (folder: string): string | undefined =>
  textAt(readProject(folder), "runtime") ?? textAt(readProject(folder), "runtime", "name");

/** Returns an option of the language runtime, such as the virtual environment of a Python project. */
export const readRuntimeOption = (folder: string, option: string): string | undefined =>
  textAt(readProject(folder), "runtime", "options", option);

/**
 * Returns the folder of a provider plugin that the project file names in `plugins`, or in `packages` as
 * `pulumi package add` does, relative to the project.
 */
export function readPluginPath(folder: string, name: string): string | undefined {
  const project = readProject(folder);
  const providers = valueAt(project, "plugins", "providers");
  const item: unknown = Array.isArray(providers) && providers.find((one) => textAt(one, "name") === name);
  // Other packages are names, with a version, and addresses.
  const source = textAt(project, "packages", name);
  return textAt(item, "path") ?? (source && existsSync(resolve(folder, source)) ? source : undefined);
}

/** Returns the content of the project file, which may be YAML or JSON; undefined if it cannot be read. */
function readProject(folder: string): unknown {
  const file = PROJECT_FILES.map((name) => join(folder, name)).find((path) =>
    statSync(path, { throwIfNoEntry: false })?.isFile(),
  );
  if (file === undefined) return undefined;
  // Loaded here because neither --help nor a folder without a project needs it.
  const { parse } = require("yaml") as typeof import("yaml");
  try {
    return parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

const valueAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], value);
