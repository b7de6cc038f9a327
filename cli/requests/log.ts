/** Reads a request log. */
import { z } from "zod";
import { UsageError } from "../shared/subcommand";

/** A token of HTTP: nothing else stands between a method and its URL. */
const METHOD = /^[\w!#$%&'*+.^`|~-]{1,40}$/;

/** Longer than any run, and short enough that a time before it is a date. */
const milliseconds = z.number().min(0).max(1e12);

const loggedAttempt = z.object({
  time: z.iso.datetime(),
  urn: z.string(),
  operation: z.string(),
  method: z.string().regex(METHOD),
  url: z.url(),
  status: z.number().optional(),
  durationMs: milliseconds,
  attempt: z.number(),
  waitMs: milliseconds,
  requestId: z.string().optional(),
  error: z.string().optional(),
  requestBody: z.string().optional(),
  responseBody: z.string().optional(),
});
export type LoggedAttempt = z.infer<typeof loggedAttempt>;

/** A check, among whose requests it is. */
const loggedStep = loggedAttempt
  .pick({ time: true, urn: true, operation: true, durationMs: true, error: true })
  .extend({
    step: z.string(),
    check: z.string().optional(),
    attempts: z.number().optional(),
    outcome: z.string().optional(),
  });
export type LoggedStep = z.infer<typeof loggedStep>;

export interface RequestLog {
  attempts: LoggedAttempt[];
  steps: LoggedStep[];
}

/** @throws UsageError for a line that is not an entry. */
export function parseLog(text: string, name: string): RequestLog {
  const entries = parseEntries(text, name);
  return {
    attempts: entries.flatMap((entry) => ("step" in entry ? [] : [entry])),
    steps: entries.flatMap((entry) => ("step" in entry ? [entry] : [])),
  };
}

function parseEntries(text: string, name: string): (LoggedAttempt | LoggedStep)[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      const entry: unknown = JSON.parse(line);
      return [loggedStep.safeParse(entry).data ?? loggedAttempt.parse(entry)];
    } catch {
      throw new UsageError(
        `Line ${index + 1} of ${name} is not an entry of a request log. Pass the file of requestLog, or ` +
          "delete the line if it is damaged.",
      );
    }
  });
}

export interface LogSummary {
  attempts: number;
  retries: number;
  rateLimited: number;
  failed: number;
  durationMs: number;
  waitMs: number;
  slowest: LoggedAttempt | undefined;
  /** The request that was sent most often, and how often. */
  mostRepeated: { request: string; attempts: number } | undefined;
}

export function summarize(attempts: readonly LoggedAttempt[]): Record<"totals", LogSummary> {
  const counts = new Map<string, number>();
  for (const { method, url } of attempts) {
    const request = `${method} ${url}`;
    counts.set(request, (counts.get(request) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, left], [, right]) => right - left);
  const count = (matches: (attempt: LoggedAttempt) => boolean) => attempts.filter(matches).length;
  const sum = (key: "durationMs" | "waitMs") => attempts.reduce((total, attempt) => total + attempt[key], 0);
  return {
    totals: {
      attempts: attempts.length,
      retries: count(({ attempt }) => attempt > 1),
      rateLimited: count(({ status }) => status === 429),
      failed: count(({ error }) => error !== undefined),
      durationMs: sum("durationMs"),
      waitMs: sum("waitMs"),
      slowest: [...attempts].sort((left, right) => right.durationMs - left.durationMs)[0],
      mostRepeated: most && { request: most[0], attempts: most[1] },
    },
  };
}
