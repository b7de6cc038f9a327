/** What state remembers of checks: which revision passed them, and which content failed them. */
import { createHash } from "node:crypto";
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Clock } from "../../../http/clock";
import { toCanonicalJson } from "../../../objects/metadata/metadata";
import { UserError } from "../../../text/user-error";
import { type Change, hasPathUnder } from "../mapping/mapping";
import { VerificationError } from "../rollout/rollout-error";
import type { Inputs } from "../schema/inputs";
import type { State } from "../schema/outputs";

/** Revisions of one content that may fail their checks before it is refused. */
const MAX_FAILURES = 2;

export function needsVerification({ inputs, state, paths }: Change, { activeRevisionId }: RemoteDeployment): boolean {
  if (!inputs.verify?.length || activeRevisionId == null) return false;
  const isChanged = hasPathUnder(paths, "verify") || hasPathUnder(paths, "verifyDigest");
  return isChanged || activeRevisionId !== state.verifiedRevisionId;
}

/** Returns the state of a deployment whose live revision passed the checks, if there are any. */
export const withoutFailure = (state: State, { verify }: Inputs): State => ({
  ...state,
  ...(verify?.length && { verifiedRevisionId: state.activeRevisionId }),
  failedVerification: undefined,
});

/** @param own The deployment with the revision of what is declared: others' says nothing of it. */
export function rememberFailure<S extends Partial<State>>(
  state: S,
  error: unknown,
  { desired, own }: { desired: Inputs; own: RemoteDeployment },
  clock: Clock,
): S {
  if (!(error instanceof VerificationError)) return state;
  const { revisionId, reason } = error;
  if (![own.latestRevisionId, own.activeRevisionId].includes(revisionId)) return state;
  const { failedVerification: last, verifiedRevisionId } = state;
  const contentDigest = digestOf(desired);
  const isSame = last?.contentDigest === contentDigest;
  const count = (isSame ? last.count : 0) + (isSame && last.revisionId === revisionId ? 0 : 1);
  const failedAt = new Date(clock.now()).toISOString();
  return {
    ...state,
    // The one that passed earlier checks has failed the present ones.
    verifiedRevisionId: verifiedRevisionId === revisionId ? undefined : verifiedRevisionId,
    failedVerification: { revisionId, contentDigest, count, failedAt, reason },
  };
}

export const isRefused = ({ failedVerification }: Partial<State>): boolean =>
  (failedVerification?.count ?? 0) >= MAX_FAILURES;

/** Why declared content is not rolled out once more; undefined when it may be. */
export function refusalOf(desired: Partial<Inputs>, state: Partial<State>): string | undefined {
  const { failedVerification: failed, activeRevisionId } = state;
  if (!failed || !isRefused(state) || activeRevisionId === failed.revisionId) return undefined;
  if (!desired.verify?.length || digestOf(desired) !== failed.contentDigest) return undefined;
  return (
    `this content has failed its checks ${failed.count} times, last as revision ${failed.revisionId} at ` +
    `${failed.failedAt}: ${failed.reason}`
  );
}

export const HOW_TO_INSIST =
  "Change what it deploys or the checks, or insist on it by changing a value of redeployTriggers.";

/** @throws UserError when the content may not be rolled out once more. Nothing was sent. */
export function assertNotRefused({ inputs, state }: Change, before: RemoteDeployment): void {
  const live = { ...state, activeRevisionId: before.activeRevisionId ?? undefined };
  const reason = refusalOf(inputs, live);
  if (reason === undefined) return;
  throw new UserError(
    `Deployment "${inputs.name}" was not changed: ${reason}\nRevision ${live.activeRevisionId ?? "none"} ` +
      `stays live. ${HOW_TO_INSIST}`,
  );
}

const NO_CONTENT = ["displayName", "waitFor", "rollbackOnFailure", "forceDelete", "sourcePath", "keepConversations"];
/** Returns a digest of what a program declares to run and to be checked, with the values of secrets. */
function digestOf(desired: Partial<Inputs>): string {
  const content = Object.fromEntries(Object.entries(desired).filter(([input]) => !NO_CONTENT.includes(input)));
  return createHash("sha256").update(toCanonicalJson(content)).digest("hex");
}
