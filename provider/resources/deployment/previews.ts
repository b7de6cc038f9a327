/** What previews say of a Deployment beyond the effects of its changes. */
import type { PreviewContext, Resumption } from "../../definition/definition";
import type { CheckFailure } from "../../definition/rules";
import { declaresNoContent, hasContent, hasPathUnder } from "./mapping/mapping";
import type { Inputs } from "./schema/inputs";
import type { State } from "./schema/outputs";
import { HOW_TO_INSIST, refusalOf } from "./verify/memory";

/** Returns what the next update does when nothing differs but the last one failed or was interrupted. */
export function explainResume(stored: Partial<Inputs & State>): Resumption {
  const { latestRevisionId, activeRevisionId, verifiedRevisionId, verify, waitFor, pendingConversations } = stored;
  if (latestRevisionId === undefined && pendingConversations !== undefined && declaresNoContent(stored))
    return { effect: "none", note: `restores the conversations of ${pendingConversations} once a revision is live` };
  if (latestRevisionId === undefined || latestRevisionId !== activeRevisionId)
    return { effect: "newRevision", note: "retries the last one if it failed, otherwise keeps waiting for it" };
  if (verify?.length && activeRevisionId !== verifiedRevisionId)
    return { effect: "verification", note: "it has not passed them" };
  if (pendingConversations !== undefined)
    return { effect: "inPlace", note: `restores the conversations of ${pendingConversations}` };
  const isHealthAwaited = waitFor === "healthy" || verify?.length;
  const awaited = isHealthAwaited ? "waits again until the agent server is healthy" : "its latest revision is live";
  return { effect: "none", note: awaited };
}

/** Returns what follows a new revision, in a few words. Each check may be unknown. */
export function consequencesOf(
  { verify = [], keepConversations }: Partial<Inputs>,
  isReplaced: boolean,
): string | undefined {
  const notes = [
    ...(isReplaced && !keepConversations ? ["keepConversations would move them"] : []),
    ...(verify.length > 0 ? [`then ${verify.length} ${verify.length === 1 ? "check" : "checks"}`] : []),
  ];
  return notes.length > 0 ? notes.join("; ") : undefined;
}

export function warnOfRefusal({ inputs, previous }: PreviewContext<Inputs, State>): CheckFailure | undefined {
  const reason = refusalOf(inputs, previous);
  return reason === undefined
    ? undefined
    : { path: "verify", reason: `\`pulumi up\` will refuse this: ${reason}. ${HOW_TO_INSIST}` };
}

const REMEDIES: Partial<Record<Inputs["source"], string>> = {
  internal_docker:
    "sourceRevisionConfig.imageUri, or run `pulumi refresh` first if an image was pushed outside of Pulumi.",
  internal_source: "sourcePath, or run `pulumi refresh` first if a tarball was deployed outside of Pulumi.",
};

/** Warns about changes that need content, for sources that can be created without any. */
export function warnOfMissingContent(
  changes: readonly string[],
  { inputs, previous }: PreviewContext<Inputs, State>,
): CheckFailure | undefined {
  const remedy = inputs.source && REMEDIES[inputs.source];
  const content = inputs.source === "internal_docker" ? "image" : "source";
  const isDeclared =
    hasContent(inputs) || hasPathUnder(changes, "sourceRevisionConfig") || hasPathUnder(changes, "sourceDigest");
  if (!remedy || previous.activeRevisionId != null || isDeclared) return undefined;
  const variables = ["secrets", "environment"].find((path) => hasPathUnder(changes, path));
  if (variables !== undefined)
    return {
      path: variables,
      reason: `the new revision will fail because there is no ${content} yet. Declare ${remedy}`,
    };
  if (hasPathUnder(changes, "redeployTriggers"))
    return { path: "redeployTriggers", reason: `there is no ${content} to deploy yet. Declare ${remedy}` };
  return undefined;
}
