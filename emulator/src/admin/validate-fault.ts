import { revisionStatuses } from "../control-plane/model/schemas";
import { ApiError } from "../runtime/errors";
import type { Fault } from "../runtime/faults";
import { limits } from "../runtime/limits";
import { closestMatch, findLikelyTypo } from "../runtime/text/did-you-mean";
import { isObject } from "../runtime/validation/validator";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** Rejects a fault that would have no effect or not the intended one. @throws ApiError 422 */
export function validateFault(fault: Fault): void {
  const mistake = findMistake(fault);
  if (mistake !== undefined) throw new ApiError(422, mistake);
}

function findMistake(fault: Fault): string | undefined {
  const kind = ["revision", "hold", "export_run"].find((name) => name in fault);
  const unexpectedField = Object.keys(fault).find((name) => !["times", "skip", kind].includes(name));
  if (kind !== undefined && unexpectedField !== undefined) {
    return (
      `A fault applies to a request, a revision, a hold or an export run; ${unexpectedField} cannot be combined ` +
      `with ${kind}`
    );
  }
  if ("hold" in fault) return findStatusTypo(fault.hold.status);
  if ("revision" in fault) return findRevisionMistake(fault.revision);
  if ("export_run" in fault) {
    const { error, stalls } = fault.export_run;
    const hasExactlyOne = (error === undefined) !== (stalls !== true);
    return hasExactlyOne ? undefined : "A fault for an export run requires either error or stalls";
  }
  const { method, status, connection, delay_ms = 0, headers = {} } = fault;
  const { maxDelayMs } = limits.fault;
  if (delay_ms > maxDelayMs) return `delay_ms must be at most ${maxDelayMs}, which is a day`;
  if (method !== undefined && !methods.includes(method.toUpperCase())) {
    return `"${method}" is not an HTTP method; did you mean ${closestMatch(method, methods)}?`;
  }
  if (status === undefined && connection === undefined && fault.delay_ms === undefined) {
    return "A fault for a request requires status, connection or delay_ms";
  }
  if (status !== undefined && connection !== undefined) return "A fault cannot have both status and connection";
  const invalidName = Object.keys(headers).find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (invalidName !== undefined) return `"${invalidName}" is not a valid header name`;
  const [invalidValueName] = Object.entries(headers).find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value)) ?? [];
  return invalidValueName === undefined
    ? undefined
    : `The value of header ${invalidValueName} contains characters that are not allowed in a header`;
}

function findRevisionMistake({ ends, statuses, logs = [] }: { ends?: string; statuses?: string[]; logs?: unknown[] }) {
  if ((ends === undefined) === (statuses === undefined))
    return "A fault for a revision requires either ends or statuses";
  if (statuses?.length === 0) return "statuses must not be empty";
  const mistake = [ends ?? [], statuses ?? []]
    .flat()
    .map(findStatusTypo)
    .find((message) => message !== undefined);
  if (mistake !== undefined) return mistake;
  if (ends !== undefined && !statusNames.includes(ends)) {
    return (
      `"${ends}" is not a revision status; expected one of ${statusNames.join(", ")}. Use "statuses" for other ` +
      "values"
    );
  }
  const areValidLines = logs.every((line) => typeof line === "string" || isLine(line));
  return areValidLines ? undefined : 'A log line must be a string or {"level", "message"}';
}

const statusNames: readonly string[] = revisionStatuses;

/** Any status is allowed, except an apparent misspelling of a known one. */
function findStatusTypo(status: string): string | undefined {
  const suggestion = findLikelyTypo(status, statusNames);
  return suggestion && `"${status}" is not a revision status; did you mean ${suggestion}?`;
}

function isLine(line: unknown): boolean {
  return isObject(line) && typeof line.level === "string" && typeof line.message === "string";
}
