/** What the run saw of each fact of docs/platform-api/. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Certainty, type Fact, readFacts } from "../../scripts/docs/platform-api.ts";
import type { StoryResult } from "../run.ts";
import { REASONS } from "../statements/reasons.ts";
import { stories as all } from "../stories/index.ts";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

export interface SeenFact {
  id: string;
  certainty: Certainty;
  text: string;
  /** Of a reported fact: the client or page, with its version or date. */
  source?: string;
  seen: "holds" | "differs" | "not seen";
  /** What the server did instead, or why it was not seen. */
  detail?: string;
  /** Of an assumption that does not hold: what that means, and the setting that changes it. */
  consequence?: string;
  setting?: string;
}

/**
 * Returns every assumption that an operation depends on, every reported fact, and every other that a story looked at.
 */
export function seenFacts(stories: readonly StoryResult[]): SeenFact[] {
  const results = Map.groupBy(
    stories.flatMap(({ facts }) => facts),
    ({ id }) => id,
  );
  return readFacts(ROOT).flatMap((fact) => {
    const found = results.get(fact.id) ?? [];
    if (found.length === 0 && !fact.wrong && fact.certainty !== "reported") return [];
    // One difference counts, however often the fact held.
    const result =
      found.find(({ seen }) => seen === "differs") ?? found.find(({ seen }) => seen === "holds") ?? found[0];
    return [describeFact(fact, result ?? { id: fact.id, seen: "not seen", detail: whyUnseen(fact.id, stories) })];
  });
}

/** Returns why no story has looked at such a fact. @throws Error if nothing ever would */
function whyUnseen(id: string, results: readonly StoryResult[]): string {
  const reason = REASONS[id];
  if (reason) return reason;
  const name = all.find(({ looksAt }) => looksAt?.includes(id))?.name;
  if (!name) throw new Error(`No check looks at the fact ${id}, and acceptance/statements/reasons.ts has no reason.`);
  const told = results.filter(({ story }) => story === name);
  if (told.length === 0) return `the story "${name}" was not part of the run`;
  const skipped = told.find(({ outcome }) => outcome === "skipped");
  return skipped ? `the story "${name}" was skipped: ${skipped.why}` : `the story "${name}" ended before it`;
}

function describeFact(fact: Fact, { seen, detail }: StoryResult["facts"][number]): SeenFact {
  const { id, certainty, text, source, wrong } = fact;
  return {
    ...{ id, certainty, text, seen },
    ...(certainty === "reported" && source && { source }),
    ...(seen !== "holds" && detail && { detail }),
    ...(seen === "differs" && wrong),
  };
}

/** Returns the IDs that stories report and no page contains. */
export function unknownFacts(stories: readonly StoryResult[]): string[] {
  const known = new Set(readFacts(ROOT).map(({ id }) => id));
  return [...new Set(stories.flatMap(({ facts }) => facts).map(({ id }) => id))].filter((id) => !known.has(id));
}
