import { revisionStatuses } from "../control-plane/model/schemas";
import { ApiError } from "../runtime/errors";
import type { Fault } from "../runtime/faults";
import { closestMatch, findLikelyTypo } from "../runtime/text/did-you-mean";
import { isObject } from "../runtime/validation/validator";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** Rejects a fault that would have no effect or not the intended one. @throws ApiError 422 */
export function checkFault(fault: Fault): void {
  const mistake = mistakeIn(fault);
  if (mistake !== undefined) throw new ApiError(422, mistake);
}

function mistakeIn(fault: Fault): string | undefined {
  const kind = ["revision", "hold", "export_run"].find((name) => name in fault);
  const strange = Object.keys(fault).find((name) => !["times", "skip", kind].includes(name));
  if (kind !== undefined && strange !== undefined) {
    return `A fault applies to a request, a revision, a hold or an export run; ${strange} cannot be combined with ${kind}`;
  }
  if ("hold" in fault) return mistakeInWord(fault.hold.status);
  if ("revision" in fault) return mistakeInRevision(fault.revision);
  if ("export_run" in fault) {
    const { error, stalls } = fault.export_run;
    const one = (error === undefined) !== (stalls !== true);
    return one ? undefined : "A fault for an export run requires either error or stalls";
  }
  const { method, status, connection, delay_ms, headers = {} } = fault;
  if (method !== undefined && !methods.includes(method.toUpperCase())) {
    return `"${method}" is not an HTTP method; did you mean ${closestMatch(method, methods)}?`;
  }
  if (status === undefined && connection === undefined && delay_ms === undefined) {
    return "A fault for a request requires status, connection or delay_ms";
  }
  if (status !== undefined && connection !== undefined) return "A fault cannot have both status and connection";
  const odd = Object.keys(headers).find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (odd !== undefined) return `"${odd}" is not a valid header name`;
  const [unsendable] = Object.entries(headers).find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value)) ?? [];
  return unsendable === undefined
    ? undefined
    : `The value of header ${unsendable} contains characters that are not allowed in a header`;
}

function mistakeInRevision({ ends, statuses, logs = [] }: { ends?: string; statuses?: string[]; logs?: unknown[] }) {
  if ((ends === undefined) === (statuses === undefined))
    return "A fault for a revision requires either ends or statuses";
  if (statuses?.length === 0) return "statuses must not be empty";
  const mistake = [ends ?? [], statuses ?? []]
    .flat()
    .map(mistakeInWord)
    .find((found) => found !== undefined);
  if (mistake !== undefined) return mistake;
  if (ends !== undefined && !words.includes(ends)) {
    return `"${ends}" is not a revision status; expected one of ${words.join(", ")}. Use "statuses" for other values`;
  }
  const lines = logs.every((line) => typeof line === "string" || isLine(line));
  return lines ? undefined : 'A log line must be a string or {"level", "message"}';
}

const words: readonly string[] = revisionStatuses;

/** Any status is allowed, except an apparent misspelling of a known one. */
function mistakeInWord(word: string): string | undefined {
  const meant = findLikelyTypo(word, words);
  return meant && `"${word}" is not a revision status; did you mean ${meant}?`;
}

function isLine(line: unknown): boolean {
  return isObject(line) && typeof line.level === "string" && typeof line.message === "string";
}
