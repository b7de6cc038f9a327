/** Where the Pulumi project is that a command is called in. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";

export const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The nearest folder upwards that holds a Pulumi project. */
export function projectFolder(folder: string): string | undefined {
  const here = PROJECT_FILES.some((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.isFile());
  if (here) return folder;
  const up = dirname(folder);
  return up === folder ? undefined : projectFolder(up);
}
