/** Finds and reads the Pulumi project of a folder. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

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
export function readProjectField(folder: string, field: "name" | "main"): string | undefined {
  const file = PROJECT_FILES.map((name) => join(folder, name)).find((path) =>
    statSync(path, { throwIfNoEntry: false })?.isFile(),
  );
  if (file === undefined) return undefined;
  const text = readFileSync(file, "utf8");
  const [, value] = new RegExp(`^"?${field}"?:[ \\t]*["']?([^"'#\\r\\n]+)`, "m").exec(text) ?? [];
  return (file.endsWith(".json") ? readJsonField(text, field) : value)?.trim();
}

function readJsonField(text: string, field: string): string | undefined {
  try {
    const value = (JSON.parse(text) as Record<string, unknown>)[field];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
