/** Reads the log of a failed revision, its only diagnosis: the cause and the last lines (API `2A.Revision.fields`). */
import { createHash } from "node:crypto";
import type { LogLine } from "../../../api/control-plane/revisions";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import { toUtc } from "../../../schema/timestamp";
import { sanitize } from "../../../text/clean";
import { truncate } from "../../../text/format";
import { DeploymentsOfRun } from "../deployments-of-run";

const MAX_LINES = 30;
/** Lengths of one line and of all shown lines: errors are printed in terminals and stored in state. */
export const MAX_LINE_LENGTH = 400;
const MAX_TAIL_LENGTH = 8000;
/** Length of a line that is searched for secrets; less is shown. */
export const MAX_REDACTED_LENGTH = 4000;
/** Lines to read in search of the first error: the largest page. */
const PAGE_SIZE = 1000;
const SEVERE = /^(error|critical|fatal|alert|emergency|panic)$/i;
/** Messages of common build tools and servers, for logs without levels. */
const PATTERNS = [
  /\b(error|exception|traceback|panic|fatal)\b/i,
  /\b(failed|cannot|could not|unable to|denied|refused|not found)\b/i,
  /\b(ImagePullBackOff|ErrImagePull|CrashLoopBackOff|OOMKilled|CreateContainerConfigError)\b/,
  /\bexit(ed)?( with)?( code| status)? [1-9]/i,
];

export interface Diagnosis {
  cause: string | undefined;
  /** What the server says, if the cause is from the log and is something else. */
  message?: string | undefined;
  tail: string[];
}

export interface FailedRevision {
  deploymentId: string;
  name: string;
  revisionId: string;
  status: string;
  /** Why it failed, where the server says it (API `2A.Revision.status_message`). */
  statusMessage?: string | undefined;
}

export async function diagnose(failed: FailedRevision, ctx: Context): Promise<Diagnosis> {
  const { deploymentId, revisionId, status, statusMessage } = failed;
  const { revisions } = ctx.clients;
  const { redact } = ctx.log;
  const type = /BUILD|CREAT|QUEUED/.test(status) ? "build" : "deploy";
  // An image is not built, so early failures are in the other log.
  const other = type === "build" ? "deploy" : "build";
  const shown = (cause: string | undefined) =>
    cause && truncate(redact(truncate(cause, MAX_REDACTED_LENGTH)).replace(/\s*\n\s*/g, " "), MAX_LINE_LENGTH);
  try {
    const read = (type: "build" | "deploy") =>
      revisions.lastLogLines(deploymentId, revisionId, { type, limit: PAGE_SIZE });
    const first = await read(type);
    const lines = first.length > 0 ? first : await read(other);
    const [logged, message] = [findCause(lines)?.message, statusMessage].map((text) => shown(text ?? undefined));
    return {
      cause: logged ?? message,
      message: logged === message ? undefined : logged && message,
      tail: formatTail(lines.slice(-MAX_LINES), first.length > 0 ? type : other, failed.name, ctx),
    };
  } catch (error) {
    const reason = error instanceof HttpError ? error.shortCode : "no response";
    return {
      cause: shown(statusMessage),
      tail: [`The ${type} log could not be read (${reason}). Look at this revision in the server's own console.`],
    };
  }
}

/** Formats the last lines, or refers to another deployment with the same log: a bad image fails a whole fleet. */
function formatTail(lines: readonly LogLine[], type: "build" | "deploy", name: string, ctx: Context): string[] {
  if (lines.length === 0) return ["The build log and the deploy log are empty."];
  const shownBy = findSameLog(lines, name, ctx);
  if (shownBy !== undefined)
    return [`The ${type} log ends like that of deployment "${shownBy}", whose error shows it.`];
  // Redact before truncating: half of a secret would not be recognized.
  const shownLines = takeLastFitting(
    redactMessages(lines, ctx.log.redact).map((line) => `  | ${truncate(formatLine(line), MAX_LINE_LENGTH)}`),
  );
  return [
    `The last ${shownLines.length === 1 ? "line" : `${shownLines.length} lines`} of the ${type} log:`,
    ...shownLines,
  ];
}

function redactMessages(lines: readonly LogLine[], redact: Context["log"]["redact"]): LogLine[] {
  const texts = lines.map(({ message }) => truncate(message ?? "", MAX_REDACTED_LENGTH).split("\n"));
  const safe = redactLines(texts.flat(), redact);
  return lines.map((line, index) => ({ ...line, message: safe.splice(0, texts[index]?.length).join("\n  | ") }));
}

/**
 * Redacts lines together, because a secret may span several of them, also where each is colored. The ellipsis stands
 * for lines that are still to come, so that the beginning of a secret is recognized.
 */
export function redactLines(lines: readonly string[], redact: Context["log"]["redact"]): string[] {
  const plain = lines.map((line) => sanitize(line.replace(/\r$/, "")).replaceAll("\n", " "));
  return redact(`${plain.join("\n")}…`)
    .replace(/…$/, "")
    .split("\n");
}

function takeLastFitting(lines: readonly string[]): string[] {
  let remaining = MAX_TAIL_LENGTH;
  const start = lines.findLastIndex((line) => {
    remaining -= line.length;
    return remaining < 0;
  });
  return lines.slice(start + 1);
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Returns the deployment whose error already shows the same lines, if any. */
function findSameLog(lines: readonly LogLine[], name: string, ctx: Context): string | undefined {
  const { nameByLog } = ctx.scope.get(DeploymentsOfRun);
  const hash = createHash("sha256");
  for (const { level, message = "" } of lines)
    hash.update(JSON.stringify([level, message?.replaceAll(name, "?").replace(UUID, "?")]));
  const key = hash.digest("hex");
  const shownBy = nameByLog.get(key) ?? name;
  nameByLog.set(key, shownBy);
  return shownBy === name ? undefined : shownBy;
}

/** Returns the first line of level ERROR or above, or else the first match of the most specific pattern. */
function findCause(lines: LogLine[]): LogLine | undefined {
  const severe = lines.find(({ level }) => SEVERE.test(level ?? ""));
  if (severe) return endOfTraceback(severe, lines);
  for (const pattern of PATTERNS) {
    const match = lines.find(({ message }) => pattern.test(message?.slice(0, MAX_LINE_LENGTH) ?? ""));
    if (match) return match;
  }
  return undefined;
}

/** Returns the line that ends a Python traceback, which names the exception, in place of its title. */
function endOfTraceback(title: LogLine, lines: readonly LogLine[]): LogLine {
  const isPart = ({ message }: LogLine) => /^(Traceback \(most recent call last\)|\s|$)/.test(message ?? "");
  const rest = isPart(title) ? lines.slice(lines.indexOf(title) + 1) : [];
  return rest.find((line) => SEVERE.test(line.level ?? "") && !isPart(line)) ?? title;
}

const formatLine = ({ timestamp, level, message }: LogLine) =>
  [timestamp && toUtc(timestamp), level, message].filter(Boolean).join(" ");
