/** The only diagnosis of a failed revision is its log: the line that says why, and the last lines (interface-notes section 2). */
import type { LogLine, Revisions } from "../../api/revisions";
import { RequestError } from "../../http/errors";
import { mask } from "../../mask";

const SHOWN = 30;
/** Read back this far for the first error: the largest page. */
const READ = 1000;
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

export async function diagnose(
  revisions: Revisions,
  id: string,
  revisionId: string,
  status: string,
  secrets: readonly string[],
): Promise<Diagnosis> {
  const type = /BUILD|CREAT|QUEUED/.test(status) ? "build" : "deploy";
  // An image is not built, so what goes wrong early stands in the other log.
  const other = type === "build" ? "deploy" : "build";
  try {
    const first = await revisions.lastLogLines(id, revisionId, type, READ);
    const lines = first.length > 0 ? first : await revisions.lastLogLines(id, revisionId, other, READ);
    const cause = causeIn(lines)?.message ?? undefined;
    const shown = lines.slice(-SHOWN).map((line) => `  | ${mask(show(line), secrets)}`);
    const title =
      shown.length === 0
        ? "The build log and the deploy log are empty."
        : `The last ${shown.length === 1 ? "line" : `${shown.length} lines`} of the ${first.length > 0 ? type : other} log:`;
    return { cause: cause && mask(cause, secrets), tail: [title, ...shown] };
  } catch (error) {
    const why = error instanceof RequestError ? error.brief : "no answer";
    return {
      cause: undefined,
      tail: [`The ${type} log could not be read (${why}): look at this revision in the service's own console.`],
    };
  }
}

/** The first line of level ERROR or above, else the first that matches the patterns, the most telling pattern first. */
function causeIn(lines: LogLine[]): LogLine | undefined {
  const severe = lines.find(({ level }) => SEVERE.test(level ?? ""));
  if (severe) return severe;
  for (const pattern of PATTERNS) {
    const match = lines.find(({ message }) => pattern.test(message ?? ""));
    if (match) return match;
  }
  return undefined;
}

const show = ({ timestamp, level, message }: LogLine) => [timestamp, level, message].filter(Boolean).join(" ");
