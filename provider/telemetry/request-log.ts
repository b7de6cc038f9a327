/** The file of the setting `requestLog`: lines of JSON that several processes append. Bodies are redacted. */
import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import type { AttemptResult, StartedAttempt } from "../http/messages";
import { truncate } from "../text/format";

export interface LoggedAttempt
  extends Pick<StartedAttempt, "time" | "method" | "url" | "attempt">,
    Pick<AttemptResult, "status" | "durationMs" | "requestId" | "error"> {
  urn: string;
  operation: string;
  waitMs: number;
  /** JSON, truncated. Only with the setting `requestLogBodies`. */
  requestBody?: string | undefined;
  responseBody?: string | undefined;
}

/** What is no request, but sends some, such as a check of a deployment. */
export interface LoggedStep extends Pick<LoggedAttempt, "time" | "urn" | "operation" | "durationMs" | "error"> {
  /** What it is, such as `check ask`. */
  step: string;
  [attribute: string]: unknown;
}

/** Others than the owner have no access: it names every object. */
const MODE = 0o600;
const { O_APPEND, O_CREAT, O_WRONLY } = constants;
/**
 * A named pipe that nobody reads is an error at once; otherwise opening it would wait, and the process with it. A link
 * is an error, too: it may lead to a file of someone else, whose mode would change.
 */
const FLAGS = O_APPEND | O_CREAT | O_WRONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Appends an entry. @throws Error when the file cannot be written. */
export function appendEntry(path: string, { time, durationMs, waitMs, ...entry }: LoggedAttempt | LoggedStep): void {
  const line = {
    time: new Date(time).toISOString(),
    ...entry,
    durationMs: Math.round(durationMs),
    ...(typeof waitMs === "number" && { waitMs: Math.round(waitMs) }),
  };
  const file = openFile(path);
  try {
    const stat = fstatSync(file);
    if (stat.isFile() && stat.nlink > 1) throw new Error(`${path} has further names (hard links)`);
    if (process.platform !== "win32" && (stat.mode & 0o177) !== 0 && stat.isFile()) fchmodSync(file, MODE);
    // One write, unless the disk is full. The system appends it as a whole, so lines of others stay whole, too.
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  } finally {
    closeSync(file);
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, FLAGS, MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") throw new Error(`${path} is a symbolic link`);
    throw error;
  }
}

const HIDDEN = "REDACTED";
/** Characters of a body that are redacted and then truncated to those of the longest message. */
const MAX_LENGTH = 32_000;
/** Names of secrets, whoever owns them: in a list of deployments, and of a signed URL, whose holder may upload. */
const SECRET =
  /secret|token|pass(w|phrase)|credential|authorization|cookie|(api|access|private)\W?_?key|signature|headers/i;
/** A string of JSON that is a URL with a query, which may contain a signature. Its end may be cut off. */
const SIGNED_URL = /"(https?:\/\/[^\s?#"\\]+)[?#](?:[^"\\]|\\.)*(\\?$|")/gi;

/** Returns the JSON of a body, truncated. Secrets that the run knows are still in it, and the queries of URLs. */
export function describeBody(body: unknown): string | undefined {
  return body === undefined ? undefined : truncate(JSON.stringify(mask(body)), MAX_LENGTH);
}

/** Hides the queries of URLs in a JSON text without secrets: without its query, one would not be recognized. */
export const hideQueries = (json: string): string => json.replace(SIGNED_URL, `"$1?${HIDDEN}$2`);

function mask(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mask(item, isSecret));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
      // The names of secrets are not secret.
      if (key === "name") return [key, mask(item)];
      return [key, mask(item, isSecret || SECRET.test(key))];
    });
    return Object.fromEntries(entries);
  }
  return isSecret && value !== null ? HIDDEN : value;
}
