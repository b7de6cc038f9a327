/** The only diagnosis of a failed revision is its log: the line that says why, and the last lines (interface-notes section 2). */
import { createHash } from "node:crypto";
import type { LogLine, RevisionClient } from "../../../api/control-plane/revisions";
import { HttpError } from "../../../http/errors";

const MAX_LINES = 30;
/** Characters of one line, and of all that are shown: an error stands in a terminal, and in state. */
const MAX_LINE_LENGTH = 400;
const MAX_TAIL_LENGTH = 8000;
/** So much of a line is looked through for secrets, of which less is shown. */
const MAX_REDACTED_LENGTH = 4000;
/** Read back this far for the first error: the largest page. */
const PAGE_SIZE = 1000;
const SEVERE = /^(error|critical|fatal|alert|emergency|panic)$/i;
/** Where no line has a level: what the tools of such builds and servers print when they give up. */
const PATTERNS = [
  /\b(error|exception|traceback|panic|fatal)\b/i,
  /\b(failed|cannot|could not|unable to|denied|refused|not found)\b/i,
  /\b(ImagePullBackOff|ErrImagePull|CrashLoopBackOff|OOMKilled|CreateContainerConfigError)\b/,
  /\bexit(ed)?( with)?( code| status)? [1-9]/i,
];

export interface Diagnosis {
  cause: string | undefined;
  /** The lines to print, or where to look when there are none. */
  tail: string[];
}

export interface FailedRevision {
  deploymentId: string;
  /** Name of the deployment. */
  name: string;
  revisionId: string;
  status: string;
  /** Takes the values of secrets out of a text; line breaks stay. */
  redact(text: string): string;
}

export async function diagnose(revisions: RevisionClient, failed: FailedRevision): Promise<Diagnosis> {
  const { deploymentId, revisionId, status, redact } = failed;
  const type = /BUILD|CREAT|QUEUED/.test(status) ? "build" : "deploy";
  // An image is not built, so what goes wrong early stands in the other log.
  const other = type === "build" ? "deploy" : "build";
  try {
    const first = await revisions.lastLogLines(deploymentId, revisionId, type, PAGE_SIZE);
    const lines = first.length > 0 ? first : await revisions.lastLogLines(deploymentId, revisionId, other, PAGE_SIZE);
    const cause = findCause(lines)?.message ?? undefined;
    return {
      cause: cause && truncate(redact(cause.slice(0, MAX_REDACTED_LENGTH))),
      tail: formatTail(lines.slice(-MAX_LINES), first.length > 0 ? type : other, failed),
    };
  } catch (error) {
    const why = error instanceof HttpError ? error.shortCode : "no response";
    return {
      cause: undefined,
      tail: [`The ${type} log could not be read (${why}). Look at this revision in the server's own console.`],
    };
  }
}

/** The last lines, or where they were shown: one bad image fails all of a fleet in the same way. */
function formatTail(lines: readonly LogLine[], type: "build" | "deploy", failed: FailedRevision): string[] {
  if (lines.length === 0) return ["The build log and the deploy log are empty."];
  const shownBy = findSameLog(lines, failed);
  if (shownBy !== undefined) return [`The ${type} log ends as that of deployment "${shownBy}", which is shown there.`];
  // A secret that is cut in two could no longer be told from other words: it is masked before.
  const shown = takeLastFitting(redactLines(lines, failed.redact).map((line) => `  | ${truncate(formatLine(line))}`));
  return [`The last ${shown.length === 1 ? "line" : `${shown.length} lines`} of the ${type} log:`, ...shown];
}

/** All at once, since a secret may be broken over several lines. */
function redactLines(lines: readonly LogLine[], redact: FailedRevision["redact"]): LogLine[] {
  const texts = lines.map(({ message }) => (message ?? "").slice(0, MAX_REDACTED_LENGTH));
  const safe = redact(texts.join("\n")).split("\n");
  return lines.map((line, index) => ({
    ...line,
    message: safe.splice(0, texts[index]?.split("\n").length).join("\n  | "),
  }));
}

const truncate = (line: string) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line);

/** As many of the last lines as there is room for. */
function takeLastFitting(lines: readonly string[]): string[] {
  let remaining = MAX_TAIL_LENGTH;
  const start = lines.findLastIndex((line) => {
    remaining -= line.length;
    return remaining < 0;
  });
  return lines.slice(start + 1);
}

/** By what the logs say that this process has shown: the deployment whose failure shows it. */
const deploymentByLog = new Map<string, string>();

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The name of another deployment whose error shows the same lines; those after it refer to this one. */
function findSameLog(lines: readonly LogLine[], { name }: FailedRevision): string | undefined {
  const hash = createHash("sha256");
  for (const { level, message = "" } of lines)
    hash.update(JSON.stringify([level, message?.replaceAll(name, "?").replace(UUID, "?")]));
  const key = hash.digest("hex");
  const shownBy = deploymentByLog.get(key) ?? name;
  deploymentByLog.set(key, shownBy);
  return shownBy === name ? undefined : shownBy;
}

/** The first line of level ERROR or above, else the first that matches the patterns, the most telling pattern first. */
function findCause(lines: LogLine[]): LogLine | undefined {
  const severe = lines.find(({ level }) => SEVERE.test(level ?? ""));
  if (severe) return severe;
  for (const pattern of PATTERNS) {
    const match = lines.find(({ message }) => pattern.test(message?.slice(0, MAX_LINE_LENGTH) ?? ""));
    if (match) return match;
  }
  return undefined;
}

const formatLine = ({ timestamp, level, message }: LogLine) => [timestamp, level, message].filter(Boolean).join(" ");
