/** The file of the setting `requestLog`: one JSON object on each line. Several processes append to it. */
import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import type { AttemptResult, StartedAttempt } from "../http/attempt";

/** An attempt to send a request, without secrets. */
export interface LoggedAttempt
  extends Pick<StartedAttempt, "time" | "method" | "url" | "attempt">,
    Pick<AttemptResult, "status" | "durationMs" | "requestId" | "error"> {
  /** Empty for functions. */
  urn: string;
  operation: string;
  /** All waits before it. */
  waitMs: number;
  /** JSON, truncated. Only with the setting `requestLogBodies`. */
  requestBody?: string | undefined;
  responseBody?: string | undefined;
}

/** Others than the owner have no access: it names every object. */
const MODE = 0o600;
const { O_APPEND, O_CREAT, O_WRONLY } = constants;
/** A named pipe that nobody reads is an error at once; otherwise opening it would wait, and the process with it. */
const FLAGS = O_APPEND | O_CREAT | O_WRONLY | (constants.O_NONBLOCK ?? 0);

/** Appends an attempt. @throws Error when the file cannot be written. */
export function appendRequest(path: string, { time, durationMs, waitMs, ...attempt }: LoggedAttempt): void {
  const line = {
    time: new Date(time).toISOString(),
    ...attempt,
    durationMs: Math.round(durationMs),
    waitMs: Math.round(waitMs),
  };
  const file = openSync(path, FLAGS, MODE);
  try {
    const stat = fstatSync(file);
    if (process.platform !== "win32" && (stat.mode & 0o177) !== 0 && stat.isFile()) fchmodSync(file, MODE);
    // One write, unless the disk is full. The system appends it as a whole, so lines of other processes stay whole, too.
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  } finally {
    closeSync(file);
  }
}
