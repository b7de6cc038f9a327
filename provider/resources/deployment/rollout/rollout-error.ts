/** The error of a rollout: which revision failed, why, what is live now, and what to do. */
import type { Deployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { UserError } from "../../../text/user-error";

export interface RolloutFailure {
  summary: string;
  details: readonly (readonly [label: string, value: string | undefined])[];
  log: readonly string[];
  live: string;
  hint: string;
  /** The deployment as the server last returned it. */
  remote: Deployment;
}

/** A revision did not go live, or is live and not healthy. */
export class RolloutError extends UserError {
  override name = "RolloutError";

  constructor(readonly failure: RolloutFailure) {
    super([...formatReport(failure, failure.live), failure.hint].join("\n"));
  }
}

export class VerificationError extends RolloutError {
  override name = "VerificationError";

  /** @param reason What failed, in one line without secrets. */
  constructor(
    failure: RolloutFailure,
    readonly revisionId: string,
    readonly reason: string,
  ) {
    super(failure);
  }
}

/**
 * Shows on the resource's row what failed and why, as the last status. The error itself cannot: Pulumi stores the
 * deployment with it, and then its row says `1 error occurred` instead of the first line.
 */
export const showFailure = (what: string, cause: string | undefined, { log }: Pick<Context, "log">): void =>
  log.progress(cause === undefined ? what : `${what}: ${cause}`);

const INDENTATION = `\n${" ".repeat(13)}`;

const formatDetail = (label: string, value: string) => `  ${label.padEnd(10)} ${value.replaceAll("\n", INDENTATION)}`;

/** Formats a failure without its hint. @param live Omitted when it has changed since. */
export function formatReport({ summary, details, log }: RolloutFailure, live?: string): string[] {
  const lines = [...details, ["live", live] as const];
  return [
    summary,
    ...lines.flatMap(([label, value]) => (value === undefined ? [] : [formatDetail(label, value)])),
    ...log,
  ];
}
