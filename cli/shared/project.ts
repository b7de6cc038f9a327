/** Finds and reads the Pulumi project of a folder. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

export const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** Returns the nearest folder, from this one upward, that contains a Pulumi project. */
export function projectFolder(folder: string): string | undefined {
  const here = PROJECT_FILES.some((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.isFile());
  if (here) return folder;
  const up = dirname(folder);
  return up === folder ? undefined : projectFolder(up);
}

/** Returns a top-level string of the project file in this folder, such as its `name`. */
export function projectField(folder: string, field: "name" | "main"): string | undefined {
  const file = PROJECT_FILES.map((name) => join(folder, name)).find((path) =>
    statSync(path, { throwIfNoEntry: false })?.isFile(),
  );
  if (file === undefined) return undefined;
  const text = readFileSync(file, "utf8");
  const [, value] = new RegExp(`^"?${field}"?:[ \\t]*["']?([^"'#\\r\\n]+)`, "m").exec(text) ?? [];
  return (file.endsWith(".json") ? fieldOfJson(text, field) : value)?.trim();
}

function fieldOfJson(text: string, field: string): string | undefined {
  try {
    const value = (JSON.parse(text) as Record<string, unknown>)[field];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
