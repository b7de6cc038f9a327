/** Parses the options of `agentgraph adopt`. */
import { closestMatch } from "../../provider/text/did-you-mean";
import { type Options, UsageError } from "../shared/subcommand";
import type { Filter } from "./discover";
import { kinds as allKinds, type Kind } from "./types";

export const words = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);

export function kinds(text: string): Kind[] {
  const known = [...allKinds().keys()];
  for (const word of words(text)) {
    if (known.includes(word)) continue;
    const meant = closestMatch(word, known);
    throw new UsageError(
      `Unknown kind "${word}"; ${meant ? `did you mean "${meant}"?` : `expected one of ${known.join(", ")}.`}`,
    );
  }
  return words(text) as Kind[];
}

export function pairs(text: string): Record<string, string> {
  const entries = words(text).map((pair): [string, string] => {
    const at = pair.indexOf("=");
    if (at < 1) throw new UsageError(`Invalid value "${pair}"; expected key=value.`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(entries);
}

/** @throws UsageError if threads are requested without --deployment. */
export function filterOf(options: Options): Filter {
  const given = options.only as Kind[] | undefined;
  const only = given ?? [...allKinds().keys()];
  const threadsOf = (options.deployment as string[] | undefined) ?? [];
  const asked = options.threads === true || options.metadata !== undefined || given?.includes("threads") === true;
  if (asked && threadsOf.length === 0) {
    throw new UsageError("To adopt threads, specify --deployment <name or ID>.");
  }
  return {
    only: threadsOf.length > 0 ? [...new Set([...only, "threads" as const])] : only,
    deployments: options.deployments as string[] | undefined,
    nameContains: options.nameContains as string | undefined,
    includeEnded: options.includeEnded === true,
    includeOwned: options.includeOwned === true,
    threadsOf,
    metadata: (options.metadata as Record<string, string> | undefined) ?? {},
  };
}
