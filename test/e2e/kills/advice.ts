/** What the messages of a failed run, and the documentation about them, advise. */
import type { CommandResult } from "../support/cli/cli";

const nameOf = (urn: string) => urn.split("::").at(-1) ?? "";

/** Returns the IDs that errors recommend to import, by resource. */
export function importsIn({ events }: CommandResult): Map<string, string> {
  const pairs = events.flatMap(({ diagnosticEvent }) => {
    const { severity, urn = "", message = "" } = diagnosticEvent ?? {};
    const [, id] = /import: "([^"]+)"/.exec(message) ?? [];
    return severity === "error" && id !== undefined ? [[nameOf(urn), id] as const] : [];
  });
  return new Map(pairs);
}

/** Returns the URNs of replaced resources that must leave state before the import, since the engine would keep them. */
export function failedReplacementsIn({ events }: CommandResult, imports: ReadonlyMap<string, string>): string[] {
  return events.flatMap(({ resOpFailedEvent }) => {
    const { op, urn = "" } = resOpFailedEvent?.metadata ?? {};
    return op === "create-replacement" && imports.has(nameOf(urn)) ? [urn] : [];
  });
}
