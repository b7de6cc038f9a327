import { ApiError } from "./errors";
import type { Fault } from "./faults";
import { isObject } from "./validation/check";

/** Refuses a fault that would do nothing, or something else than its writer meant. */
export function checkFault(fault: Fault): void {
  const mistake = mistakeIn(fault);
  if (mistake !== undefined) throw new ApiError(422, mistake);
}

function mistakeIn(fault: Fault): string | undefined {
  if ("revision" in fault || "hold" in fault) {
    const own = ["times", "skip", "revision" in fault ? "revision" : "hold"];
    const strange = Object.keys(fault).find((name) => !own.includes(name));
    if (strange !== undefined)
      return `A fault is for a request, a revision or a hold: ${strange} does not go with ${own[2]}`;
  }
  if ("hold" in fault) return undefined;
  if ("revision" in fault) return mistakeInRevision(fault.revision);
  const { status, connection, delay_ms, headers = {} } = fault;
  if (status === undefined && connection === undefined && delay_ms === undefined) {
    return "A fault of a request needs status, connection or delay_ms";
  }
  if (status !== undefined && connection !== undefined) return "A fault has a status or a connection, not both";
  const strange = Object.keys(headers).find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  return strange === undefined ? undefined : `"${strange}" is no name of a header`;
}

function mistakeInRevision({ ends, statuses, logs = [] }: { ends?: string; statuses?: string[]; logs?: unknown[] }) {
  if ((ends === undefined) === (statuses === undefined)) return "A fault of a revision needs either ends or statuses";
  if (statuses?.length === 0) return "statuses needs one at least";
  const lines = logs.every((line) => typeof line === "string" || isLine(line));
  return lines ? undefined : 'A log line is a text or {"level", "message"}';
}

function isLine(line: unknown): boolean {
  return isObject(line) && typeof line.level === "string" && typeof line.message === "string";
}
