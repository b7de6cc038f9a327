/** Output of `agentgraph adopt`. */
import { relative } from "node:path";
import type { SecretKey } from "./program";
import { counted, IMPORT, PREVIEW, reasons, setSecret } from "./readme";
import type { Adopted, LeftOut } from "./types";

export interface Done {
  /** Folder of the program. */
  folder: string;
  all: readonly Adopted[];
  left: readonly LeftOut[];
  notes: readonly string[];
  secrets: readonly SecretKey[];
  /** Names of the files that were written. */
  files: readonly string[];
  /** Why the configuration of the stack was not read, if a user may expect that it was. */
  config?: string;
}

export function forMachines({ folder, all, left, secrets, files, config, ...rest }: Done): object {
  const notes = config === undefined ? rest.notes : [...rest.notes, config];
  const resources = all.map(({ kind, id, title, name, variable }) => ({ kind, id, title, name, variable }));
  const next = files.length === 0 ? [] : [...secrets.map(setSecret), IMPORT, PREVIEW];
  const skipped = left.map(({ kind, id, title, why }) => ({ kind, id, title, why }));
  return { version: 1, folder, files, resources, left: skipped, notes, secrets, next };
}

/** @param from Working directory of the command. */
export function forPeople({ folder, all, left, notes, secrets, files, config }: Done, from: string): string {
  const said = [...reasons(left), ...notes];
  const leftOut =
    said.length === 0 ? [] : ["", "Skipped:", ...said.map((line) => `  ${line.replaceAll("\n", "\n  ")}`)];
  const read = config === undefined ? [] : [`Note: ${config}.`];
  if (files.length === 0) return ["Nothing to adopt. No files were written.", ...read, ...leftOut, ""].join("\n");
  const where = relative(from, folder) || ".";
  const commands = [
    ...(secrets.length === 0 ? [] : [`${setSecret(secrets[0] as SecretKey)}${more(secrets.length - 1)}`]),
    ...[IMPORT, PREVIEW],
  ];
  return [
    `Found ${counted(all)}.`,
    ...read,
    ...leftOut,
    "",
    `Files in ${where}: ${files.join(", ")}`,
    "Nothing was changed on the server, and no secret was written.",
    "",
    "Next steps, in that folder, after npm install and pulumi stack init:",
    ...commands.map((command, index) => `  ${index + 1}. ${command}`),
    "",
  ].join("\n");
}

const more = (count: number) => (count === 0 ? "" : `  (and ${count} more, listed in README.md)`);
