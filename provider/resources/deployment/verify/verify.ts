/** `verify`: runs the checks of a live revision, in their order, before its rollout has succeeded. */
import type { Deployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { readUntil } from "../../../definition/wait";
import { ignoreHttpError } from "../../../http/errors";
import { truncate } from "../../../text/format";
import { UserError } from "../../../text/user-error";
import { describeLive } from "../rollout/health";
import { diagnose } from "../rollout/logs";
import { RolloutError, type RolloutFailure, showFailure, VerificationError } from "../rollout/rollout-error";
import type { Inputs } from "../schema/inputs";
import { type Mismatch, titleOf } from "./check-run";
import { WaitingBefore } from "./conversations";
import { assertRunnable, runCheck } from "./run-check";

/** Characters of what was expected, and of what came, that a row and the next run show. */
const MAX_SHOWN = 400;

/**
 * @param earlier What an outdated response may still show. @throws VerificationError with the first failed check.
 * @throws RolloutError if another revision went live: each check may have met either. @throws UserError for no URL.
 */
export async function verifyRevision(
  live: Deployment,
  desired: Inputs,
  ctx: Context,
  earlier: readonly Deployment[] = [],
): Promise<void> {
  const { verify: checks = [] } = desired;
  if (checks.length === 0 || live.activeRevisionId == null) return;
  const server = ctx.clients.agentServers.serverOf(live);
  if (!server)
    throw new UserError(
      `Deployment "${desired.name}": the server reports no URL for the agent server, so revision ` +
        `${live.activeRevisionId} could not be checked. It is live and not verified. ` +
        (desired.source === "external_docker" ? "Set sourceConfig.customUrl, or run" : "Run") +
        " `pulumi up` again once the server reports one.",
    );
  for (const [index, check] of checks.entries()) {
    const label = `check ${index + 1} of ${checks.length}: ${titleOf(check)}`;
    const mismatch = await runCheck(check, { live, server, label, ctx });
    if (mismatch) throw await toVerificationError({ live, desired, label, mismatch, earlier }, ctx);
  }
  const current = await readAfterChecks(live, earlier, ctx);
  if (isReplaced(live, current)) throw await toReplacedError({ live, desired, earlier }, current, ctx);
  ctx.log.progress(`DEPLOYED, ${checks.length} ${checks.length === 1 ? "check" : "checks"} passed`);
}

/** @param before Undefined for a new one. @throws UserError if the declared checks could certainly not be made. */
export async function assertVerifiable(desired: Inputs, before: Deployment | undefined, ctx: Context): Promise<void> {
  if (!desired.verify?.length) return;
  await assertRunnable(desired.verify);
  const url = desired.sourceConfig?.customUrl ?? before?.url;
  const server = ctx.clients.agentServers.serverOf({
    id: before?.id ?? `"${desired.name}"`,
    source: desired.source,
    url,
  });
  const conversations = desired.verify.flatMap((check) => check.conversations ?? [])[0];
  if (!server || !conversations || before?.activeRevisionId == null) return;
  await ctx.scope.get(WaitingBefore).read(before.id, conversations, server, ctx.clock);
}

interface FailedCheck {
  live: Deployment;
  desired: Inputs;
  label: string;
  mismatch: Mismatch;
  earlier: readonly Deployment[];
}

/** Returns the deployment after the checks: a response may be outdated that shows an earlier revision as live. */
async function readAfterChecks(live: Deployment, earlier: readonly Deployment[], ctx: Context): Promise<Deployment> {
  const earlierIds = new Set(earlier.flatMap((one) => [one.activeRevisionId, one.latestRevisionId]));
  const isCertain = (current: Deployment) =>
    !isReplaced(live, current) || !(current.activeRevisionId == null || earlierIds.has(current.activeRevisionId));
  const read = () => ctx.clients.controlPlane.getDeployment(live.id);
  const wait = { kind: "revision", what: `revision ${live.activeRevisionId} to be shown as live`, read };
  return readUntil(await read(), isCertain, wait, ctx);
}

/** Whether another revision is live in place of the one that was checked. */
const isReplaced = (live: Deployment, { activeRevisionId }: Deployment) => activeRevisionId !== live.activeRevisionId;

/** @param found What a check found before that was noticed. */
async function toReplacedError(
  { live, desired: { name }, earlier }: Pick<FailedCheck, "live" | "desired" | "earlier">,
  current: Deployment,
  ctx: Context,
  found: Pick<RolloutFailure, "details" | "log"> = { details: [], log: [] },
) {
  const revisionId = live.activeRevisionId ?? "";
  const isBack = earlier.some((one) => one.activeRevisionId === current.activeRevisionId);
  const what = isBack ? "the server went back to what was live before" : "another revision went live";
  showFailure("not verified", `${what} during the checks`, ctx);
  return new RolloutError({
    summary: `Deployment "${name}": ${what} while the checks of revision ${revisionId} ran, so it is not verified.`,
    details: [...found.details, ["deployment", live.id]],
    log: found.log,
    live: await describeLive(current, revisionId, ctx),
    hint: "Run `pulumi up` again: it deploys what the program declares, unless that is live, and runs the checks.",
    remote: current,
  });
}

async function toVerificationError(failed: FailedCheck, ctx: Context) {
  const { live, desired, label, mismatch, earlier } = failed;
  const { id: deploymentId, activeRevisionId: revisionId } = live as Deployment & { activeRevisionId: string };
  const shown = (text: string) => truncate(text.replace(/\s*\n\s*/g, " "), MAX_SHOWN);
  const [expected, actual] = [shown(mismatch.expected), shown(mismatch.actual)];
  showFailure(`${label} failed`, actual, ctx);
  const { tail } = await diagnose({ deploymentId, name: desired.name, revisionId, status: "DEPLOYED" }, ctx);
  const current = (await readAfterChecks(live, earlier, ctx).catch(ignoreHttpError)) ?? undefined;
  const found = Object.entries({ expected: mismatch.expected, actual: mismatch.actual });
  if (current && isReplaced(live, current))
    return toReplacedError(failed, current, ctx, { details: [["check", label], ...found], log: tail });
  const failure = {
    summary: `Deployment "${desired.name}": ${label} failed.`,
    details: [
      ...found,
      ["deployment", deploymentId],
      ["revision", revisionId],
      ["image", desired.sourceRevisionConfig?.imageUri],
      ["ref", desired.sourceRevisionConfig?.repoRef],
    ] satisfies RolloutFailure["details"],
    log: tail,
    live: await describeLive(current, revisionId, ctx),
    hint:
      "Fix the cause and run `pulumi up` again. If the program is unchanged, `pulumi up` only runs the checks " +
      "again.",
    remote: current ?? live,
  };
  // State keeps it readable, and the path of a check may be secret.
  const reason = ctx.log.redact(`${label}: expected ${expected}, got ${actual}`);
  return new VerificationError(failure, revisionId, reason);
}
