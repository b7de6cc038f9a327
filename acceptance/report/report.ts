/** The report of a run, for machines. The text for people is made from it. */
import type { StoryResult } from "../run.ts";
import type { Run } from "../stories/story.ts";

export interface Report {
  version: 1;
  run: string;
  date: string;
  server: "emulator" | "server";
  passed: boolean;
  seconds: number;
  stories: readonly StoryResult[];
}

export function createReport(run: Run, stories: readonly StoryResult[], milliseconds: number): Report {
  return {
    version: 1,
    run: run.id,
    date: new Date().toISOString(),
    server: run.server.kind,
    passed: stories.every(({ outcome }) => outcome === "passed" || outcome === "skipped"),
    seconds: Math.round(milliseconds / 1000),
    stories,
  };
}
