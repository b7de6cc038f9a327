/** What the run saw of each fact of docs/platform-api/. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Certainty, type Fact, readFacts } from "../../test/docs/support/platform-api.ts";
import type { StoryResult } from "../run.ts";

/** Why nothing was found out about a fact. */
export const UNCHECKED = "no check from outside shows it, or none ran";
const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

export interface SeenFact {
  id: string;
  certainty: Certainty;
  text: string;
  seen: "holds" | "differs" | "not seen";
  /** What the server did instead, or why it was not seen. */
  detail?: string;
  /** Of an assumption that does not hold: what that means, and the setting that changes it. */
  consequence?: string;
  setting?: string;
}

/** Returns every assumption of the pages, and every other fact that a story looked at. */
export function seenFacts(stories: readonly StoryResult[]): SeenFact[] {
  const results = Map.groupBy(
    stories.flatMap(({ facts }) => facts),
    ({ id }) => id,
  );
  return readFacts(ROOT).flatMap((fact) => {
    const found = results.get(fact.id) ?? [];
    if (found.length === 0 && fact.certainty !== "assumed") return [];
    // One difference counts, however often the fact held.
    const result =
      found.find(({ seen }) => seen === "differs") ?? found.find(({ seen }) => seen === "holds") ?? found[0];
    return [describeFact(fact, result)];
  });
}

function describeFact(fact: Fact, result: StoryResult["facts"][number] | undefined): SeenFact {
  const { id, certainty, text, wrong } = fact;
  const { seen = "not seen", detail = UNCHECKED } = result ?? {};
  return {
    ...{ id, certainty, text, seen },
    ...(seen !== "holds" && { detail }),
    ...(seen === "differs" && wrong),
  };
}

/** Returns the IDs that stories report and no page contains. */
export function unknownFacts(stories: readonly StoryResult[]): string[] {
  const known = new Set(readFacts(ROOT).map(({ id }) => id));
  return [...new Set(stories.flatMap(({ facts }) => facts).map(({ id }) => id))].filter((id) => !known.has(id));
}
