/** Waits until a request that must make a revision has made it (API `3.1`): nothing is deployed before, whatever the response says. */
import type { Deployment, DeploymentBody } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { type PollResult, WaitTimeoutError } from "../../../definition/wait";
import { ignoreNotFound } from "../../../http/errors";
import { valueAt } from "../../../schema/schema";
import { alignDetails } from "../../../text/format";
import { UserError } from "../../../text/user-error";
import { driftPaths } from "../response";
import type { Inputs } from "../schema/inputs";

/** How long a server may take between its response and the revision. */
const MAX_DELAY_MS = 60_000;

/** The server accepted a request that must make a revision, and made none. */
export class NoRevisionError extends UserError {
  override name = "NoRevisionError";

  /** @param remote The deployment as the server last returned it. */
  constructor(
    readonly remote: Deployment,
    desired: Inputs,
  ) {
    const { id, latestRevisionId, activeRevisionId } = remote;
    super(
      [
        `Deployment "${desired.name}": the server accepted the request, but made no revision of it within ${MAX_DELAY_MS / 1000} s, so nothing was deployed.`,
        ...alignDetails([
          ["deployment", id],
          ["latest", latestRevisionId ?? "no revision"],
          ["active", activeRevisionId ?? "no revision"],
          ...driftPaths(remote, desired).map((path) => ["holds", describeHeld(path, remote, desired)] as const),
        ]),
        "Run `pulumi up` again: it sends the change again. If that fails as well, ask the operators of the server.",
      ].join("\n"),
    );
  }
}

/** Describes a difference, without the values of secrets. */
function describeHeld(path: string, remote: Deployment, desired: Inputs): string {
  if (path.startsWith("secrets")) return `another value of ${path} than declared`;
  const [held, declared] = [remote, desired].map((one) => JSON.stringify(valueAt(one, path)) ?? "nothing");
  return `${path} ${held}, declared is ${declared}`;
}

/** Whether a body makes a revision (API `3.1`). An empty list of secrets counts as absent. */
export const makesRevision = ({ secrets, sourceConfig, sourceRevisionConfig }: DeploymentBody): boolean =>
  (secrets?.length ?? 0) > 0 ||
  sourceConfig?.resourceSpec != null ||
  Object.values(sourceRevisionConfig ?? {}).some((value) => value != null);

/** Whether an update must make a revision of a deployment: one without content has nothing that could run. */
export function mustMakeRevision(body: DeploymentBody, { source, latestRevisionId }: Deployment): boolean {
  const { imageUri, sourceTarballPath } = body.sourceRevisionConfig ?? {};
  const isEmpty = /^internal_(docker|source)$/.test(source ?? "") && latestRevisionId == null;
  return makesRevision(body) && (!isEmpty || imageUri != null || sourceTarballPath != null);
}

/** Whether a deployment has another latest revision than before. */
export const isNewRevision =
  ({ latestRevisionId }: Pick<Deployment, "latestRevisionId">) =>
  (current: Deployment): boolean =>
    current.latestRevisionId != null && current.latestRevisionId !== latestRevisionId;

/**
 * Returns the deployment with the revision that a request made.
 * @param before The deployment before the request. @param after As the response shows it.
 * @throws NoRevisionError when none appears.
 */
export async function waitForNewRevision(
  before: Pick<Deployment, "latestRevisionId">,
  after: Deployment,
  desired: Inputs,
  ctx: Context,
): Promise<Deployment> {
  const isMade = isNewRevision(before);
  if (isMade(after)) return after;
  const giveUpAt = ctx.clock.monotonic() + MAX_DELAY_MS;
  let current = after;
  const poll = async (): Promise<PollResult<Deployment>> => {
    current = (await ctx.clients.controlPlane.getDeployment(after.id).catch(ignoreNotFound)) ?? current;
    if (isMade(current)) return { done: current };
    if (ctx.clock.monotonic() >= giveUpAt) throw new NoRevisionError(current, desired);
    return { pending: "no new revision yet" };
  };
  try {
    return await ctx.waitUntil({ kind: "revision", what: `a new revision of deployment ${after.id}`, poll });
  } catch (error) {
    throw error instanceof WaitTimeoutError ? new NoRevisionError(current, desired) : error;
  }
}
