/** The members of enums, with a name in the style that all languages share: Python turns `ExternalDocker` into EXTERNAL_DOCKER. */
import type { EnumSpec } from "./spec";

export type EnumValue = EnumSpec["enum"][number];

/** Values whose words the API joins. */
const NAMES: Readonly<Record<string, string>> = {
  githost: "GitHost",
  INTERVALSCHEDULED: "IntervalScheduled",
  TIMEDOUT: "TimedOut",
};

export function toEnumValue(value: string, description?: string): EnumValue {
  const name = NAMES[value] ?? value.split(/[_-]/).map(capitalize).join("");
  return { name, value, ...(description !== undefined && { description }) };
}

/** "docker" and "FAILED" become "Docker" and "Failed"; "IfNotPresent" stays. */
const capitalize = (word: string) =>
  word.charAt(0).toUpperCase() + (word === word.toUpperCase() ? word.slice(1).toLowerCase() : word.slice(1));
