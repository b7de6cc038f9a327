/** The report of a run, for machines. The text for people is made from it. */
import type { StoryResult } from "../run.ts";
import type { Run } from "../stories/story.ts";
import { type SeenFact, seenFacts, unknownFacts } from "./facts.ts";

export interface Report {
  version: 1;
  run: string;
  date: string;
  server: "emulator" | "server";
  passed: boolean;
  seconds: number;
  stories: readonly Omit<StoryResult, "facts">[];
  /**
   * Every assumption of docs/platform-api/ that an operation depends on, every reported fact, and every other that a
   * story looked at.
   */
  facts: readonly SeenFact[];
}

export function createReport(run: Run, stories: readonly StoryResult[], milliseconds: number): Report {
  const [unknown] = unknownFacts(stories);
  if (unknown) throw new Error(`A check names the fact ${unknown}, which docs/platform-api/ does not contain.`);
  return {
    version: 1,
    run: run.id,
    date: new Date().toISOString(),
    server: run.server.kind,
    passed: stories.every(({ outcome }) => outcome === "passed" || outcome === "skipped"),
    seconds: Math.round(milliseconds / 1000),
    stories: stories.map(({ facts: _, ...story }) => story),
    facts: seenFacts(stories),
  };
}
