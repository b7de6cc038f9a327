/** `verify`: runs the checks of a live revision, in their order, before its rollout has succeeded. */
import type { Deployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
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
        `${live.activeRevisionId} could not be checked. It is live and not verified. Run \`pulumi up\` ` +
        "again once the server reports one.",
    );
  for (const [index, check] of checks.entries()) {
    const label = `check ${index + 1} of ${checks.length}: ${titleOf(check)}`;
    const mismatch = await runCheck(check, { live, server, label, ctx });
    if (mismatch) throw await toVerificationError({ live, desired, label, mismatch, earlier }, ctx);
  }
  const current = await ctx.clients.controlPlane.getDeployment(live.id);
  if (isReplaced(live, current, earlier)) throw await toReplacedError({ live, desired, current }, ctx);
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

/** Whether the revision of others is live in place of the one that was checked. Superseded ones are outdated. */
const isReplaced = (live: Deployment, { activeRevisionId }: Deployment, earlier: readonly Deployment[]): boolean =>
  activeRevisionId != null &&
  ![live, ...earlier].some((one) => one.activeRevisionId === activeRevisionId) &&
  (activeRevisionId === live.latestRevisionId || !earlier.some((one) => one.latestRevisionId === activeRevisionId));

/** @param found What a check found before that was noticed. */
async function toReplacedError(
  { live, desired: { name }, current }: Pick<FailedCheck, "live" | "desired"> & { current: Deployment },
  ctx: Context,
  found: Pick<RolloutFailure, "details" | "log"> = { details: [], log: [] },
) {
  const revisionId = live.activeRevisionId ?? "";
  showFailure("not verified", "others deployed another revision during the checks", ctx);
  return new RolloutError({
    summary:
      `Deployment "${name}": another revision went live while the checks of revision ${revisionId} ran, so ` +
      "neither is verified.",
    details: [...found.details, ["deployment", live.id]],
    log: found.log,
    live: await describeLive(current, revisionId, ctx),
    hint: "Run `pulumi up` again: it deploys what the program declares, unless that is live, and runs the checks.",
    remote: current,
  });
}

async function toVerificationError({ live, desired, label, mismatch, earlier }: FailedCheck, ctx: Context) {
  const { id: deploymentId, activeRevisionId: revisionId } = live as Deployment & { activeRevisionId: string };
  const shown = (text: string) => truncate(text.replace(/\s*\n\s*/g, " "), MAX_SHOWN);
  const [expected, actual] = [shown(mismatch.expected), shown(mismatch.actual)];
  showFailure(`${label} failed`, actual, ctx);
  const { tail } = await diagnose({ deploymentId, name: desired.name, revisionId, status: "DEPLOYED" }, ctx);
  const current = (await ctx.clients.controlPlane.getDeployment(deploymentId).catch(ignoreHttpError)) ?? undefined;
  const found = Object.entries({ expected: mismatch.expected, actual: mismatch.actual });
  if (current && isReplaced(live, current, earlier))
    return toReplacedError({ live, desired, current }, ctx, { details: [["check", label], ...found], log: tail });
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
