/** What the command says when it is done. */
import { relative } from "node:path";
import type { SecretKey } from "./program";
import { counted, IMPORT, PREVIEW, reasons, setSecret } from "./readme";
import type { Adopted, LeftOut } from "./types";

export interface Done {
  /** Where the program is. */
  folder: string;
  all: readonly Adopted[];
  left: readonly LeftOut[];
  notes: readonly string[];
  secrets: readonly SecretKey[];
  /** Names of what was written. */
  files: readonly string[];
  /** Why no stack's config was read, where somebody may have counted on it. */
  config?: string;
}

export function forMachines({ folder, all, left, secrets, files, config, ...rest }: Done): object {
  const notes = config === undefined ? rest.notes : [...rest.notes, config];
  const resources = all.map(({ kind, id, title, name, variable }) => ({ kind, id, title, name, variable }));
  const next = files.length === 0 ? [] : [...secrets.map(setSecret), IMPORT, PREVIEW];
  return { version: 1, folder, files, resources, left, notes, secrets, next };
}

/** @param from The folder that the command was called in. */
export function forPeople({ folder, all, left, notes, secrets, files, config }: Done, from: string): string {
  const said = [...reasons(left), ...notes];
  const leftOut =
    said.length === 0 ? [] : ["", "Left out:", ...said.map((line) => `  ${line.replaceAll("\n", "\n  ")}`)];
  const read = config === undefined ? [] : [`Note: ${config}.`];
  if (files.length === 0) return ["Found nothing to adopt; nothing was written.", ...read, ...leftOut, ""].join("\n");
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
    `Written to ${where}: ${files.join(", ")}`,
    "Nothing was changed on the service, and no secret was written.",
    "",
    "Next, in that folder, with a stack (npm install, pulumi stack init):",
    ...commands.map((command, index) => `  ${index + 1}. ${command}`),
    "",
  ].join("\n");
}

const more = (count: number) =>
  count === 0 ? "" : `  (and ${count} ${count === 1 ? "other" : "others"}: README.md has the commands)`;
