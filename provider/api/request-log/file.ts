/** The file of the setting `requestLog`: one JSON object on each line. Several processes append to it. */
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import type { Attempt } from "../../http/attempt";

export interface LoggedAttempt extends Attempt {
  /** Empty for functions. */
  urn: string;
  operation: string;
}

/** Others than the owner have no access: it names every object. */
const MODE = 0o600;

/** Appends an attempt. @throws Error when the file cannot be written. */
export function appendRequest(path: string, { time, durationMs, waitMs, ...attempt }: LoggedAttempt): void {
  const line = {
    time: new Date(time).toISOString(),
    ...attempt,
    durationMs: Math.round(durationMs),
    waitMs: Math.round(waitMs),
  };
  const file = openSync(path, "a", MODE);
  try {
    const { mode } = fstatSync(file);
    if (process.platform !== "win32" && (mode & 0o177) !== 0 && fstatSync(file).isFile()) fchmodSync(file, MODE);
    // The system appends one write as a whole, so lines of other processes stay whole, too.
    writeSync(file, `${JSON.stringify(line)}\n`);
  } finally {
    closeSync(file);
  }
}
