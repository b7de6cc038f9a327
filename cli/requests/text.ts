/** Formats a request log as a table for each resource. */
import { singleLine } from "../shared/text/markdown";
import { type LoggedAttempt, type LoggedStep, type RequestLog, summarize } from "./log";

export const requestsJson = (log: RequestLog) => ({ version: 1 as const, ...summarize(log.attempts), ...log });

export function formatLog({ attempts, steps }: RequestLog): string {
  if (attempts.length + steps.length === 0) return "The request log is empty.\n";
  const byResource = Map.groupBy(attempts, ({ urn }) => urn);
  const tables = [...byResource].map(
    ([urn, rows]) => `${resourceOf(urn)} (${formatCounts(rows)})\n${formatRows(rows)}`,
  );
  const checks = steps.length > 0 ? [`Checks\n${formatSteps(steps)}`] : [];
  return `${[...tables, ...checks, formatTotals(attempts)].join("\n\n")}\n`;
}

/** The type and name of a URN. */
const resourceOf = (urn: string) => (urn === "" ? "Functions" : singleLine(urn.split("::").slice(2).join(" "), 200));

function formatRows(attempts: readonly LoggedAttempt[]): string {
  const rows = attempts.map((attempt) => [
    attempt.time.slice(11, 23),
    attempt.operation,
    attempt.method,
    new URL(attempt.url).pathname,
    String(attempt.status ?? "-"),
    `${attempt.durationMs} ms`,
    [
      ...(attempt.attempt > 1 ? [`attempt ${attempt.attempt}`] : []),
      ...(attempt.waitMs > 0 ? [`waited ${attempt.waitMs} ms`] : []),
      ...(attempt.requestId ? [`request ID ${attempt.requestId}`] : []),
      ...(attempt.error ? [attempt.error] : []),
    ].join(", "),
  ]);
  return formatTable(["time", "operation", "method", "path", "status", "duration", "details"], rows);
}

function formatSteps(steps: readonly LoggedStep[]): string {
  const rows = steps.map(({ time, urn, step, check = step, outcome = "-", durationMs, attempts = 1, error }) => {
    const details = [...(attempts > 1 ? [`attempts ${attempts}`] : []), ...(error ? [error] : [])];
    return [time.slice(11, 23), resourceOf(urn), check, outcome, `${durationMs} ms`, details.join(", ")];
  });
  return formatTable(["time", "resource", "check", "outcome", "duration", "details"], rows);
}

function formatTable(header: readonly string[], rows: readonly string[][]): string {
  const cells = [header, ...rows].map((row) => row.map((cell) => singleLine(cell, 200)));
  // Not the arguments of Math.max, of which there may not be as many as attempts.
  const widthOf = (column: number) => cells.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0);
  const widths = (cells[0] ?? []).map((_, column) => widthOf(column));
  return cells.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd()).join("\n");
}

/** Returns how many attempts there are, and how many of them are unusual. */
function formatCounts(rows: readonly LoggedAttempt[]): string {
  const { attempts, retries, rateLimited, failed } = summarize(rows).totals;
  const unusual = [
    [retries, "retries"],
    [rateLimited, "with status 429"],
    [failed, "failed"],
  ] as const;
  const counts = unusual.flatMap(([count, what]) => (count > 0 ? [`${what}: ${count}`] : []));
  return [`attempts: ${attempts}`, ...counts].join(", ");
}

function formatTotals(attempts: readonly LoggedAttempt[]): string {
  const { slowest, mostRepeated, ...totals } = summarize(attempts).totals;
  return [
    `All requests (${formatCounts(attempts)})`,
    `${totals.durationMs} ms in requests and ${totals.waitMs} ms in waits, of which many may overlap`,
    ...(slowest ? [`Slowest: ${slowest.method} ${singleLine(slowest.url, 200)} (${slowest.durationMs} ms)`] : []),
    ...(mostRepeated
      ? [`Most repeated: ${singleLine(mostRepeated.request, 200)} (${mostRepeated.attempts} attempts)`]
      : []),
  ].join("\n");
}
