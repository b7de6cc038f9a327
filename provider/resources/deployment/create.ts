/** Sends the request that creates a deployment. A rejection shows which integrations or listeners exist. */
import type {
  ControlPlaneClient,
  DeploymentBody,
  Deployment as RemoteDeployment,
} from "../../api/control-plane/client";
import { sendWithRouteRetry } from "../../api/profile/learned-profile";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { PollResult } from "../../definition/wait";
import { HttpError } from "../../http/errors";
import { NEXT_UP_HINT, toUndeterminedError } from "../../objects/server/lost-response";
import { createdAtMs } from "../../schema/timestamp";
import { NOTHING_CREATED, RESERVED_NAME_HINT } from "./deletion";
import { DeploymentsOfRun } from "./deployments-of-run";
import { toCreateRequest } from "./mapping/mapping";
import { markerIn } from "./mapping/marker";
import { nameIn, toState } from "./mapping/response";
import { creationDifferences, MARGIN_MS, searchDesired, showsMarker } from "./ownership";
import { withAlternatives } from "./references";
import type { Inputs } from "./schema/inputs";

interface SentCreate {
  desired: Inputs;
  /** The ownership marker that it contains; undefined with `ownerMarker: false`. */
  marker: string | undefined;
  /** By the server's clock. Milliseconds since the epoch. */
  sentAt: number;
  knownIds: ReadonlySet<string>;
  ctx: Context;
}

/** Creates a deployment. A lost response is resolved by its name, never by a second POST. */
export async function createDeployment(
  desired: Inputs,
  marker: string | undefined,
  ctx: Context,
): Promise<RemoteDeployment> {
  const known = await ctx.clients.deploymentCache.filterCached(() => true);
  const sent = { desired, marker, sentAt: ctx.serverNow(), knownIds: new Set(known.map(({ id }) => id)), ctx };
  let response: CreateResponse;
  try {
    response = await sendCreate(toCreateRequest(desired, marker), desired.name, ctx);
  } catch (error) {
    if (error instanceof HttpError && error.outcomeUnknown) return findCreated(error, sent);
    throw await explainRejection(error, desired, ctx);
  }
  const created = response.isComplete ? response.deployment : await readCreated(response.deployment, sent);
  assertCreated(created, sent);
  return created;
}

type CreateResponse = Awaited<ReturnType<ControlPlaneClient["createDeployment"]>>;

/** How long a create waits for a name that this run has freed, on a server that hides the deleted deployment. */
const MAX_RESERVED_MS = 120_000;

/** Sends the create; again while the server keeps the name of a deployment that this run deleted. */
async function sendCreate(body: DeploymentBody, name: string, ctx: Context): Promise<CreateResponse> {
  const send = () =>
    ctx.clients.controlPlane.createDeployment(body).catch((error: unknown) => {
      if (!requiresBuildOnPush(error, body)) throw error;
      return ctx.clients.controlPlane.createDeployment({
        ...body,
        sourceConfig: { ...body.sourceConfig, buildOnPush: false },
      });
    });
  if (!ctx.scope.get(DeploymentsOfRun).deletedNames.has(name)) return send();
  const giveUpAt = ctx.clock.monotonic() + MAX_RESERVED_MS;
  // A wait repeats what failed, and a create may not be repeated: its failure ends the wait.
  const poll = async (): Promise<PollResult<CreateResponse | { error: unknown }>> => {
    try {
      return { done: await send() };
    } catch (error) {
      const isReserved = error instanceof HttpError && error.status === 409 && ctx.clock.monotonic() < giveUpAt;
      return isReserved ? { pending: "the name is still taken" } : { done: { error } };
    }
  };
  const what = `the name "${name}" to become free`;
  const result = await ctx.waitUntil({ kind: "name", what, poll, onInterruptHint: NOTHING_CREATED });
  if ("error" in result) throw result.error;
  return result;
}

/** Whether a server rejected a create for a flag left out as false (API `2A.SourceConfig.deployment_type:required`). */
const requiresBuildOnPush = (error: unknown, { source, sourceConfig }: DeploymentBody): boolean =>
  error instanceof HttpError &&
  (error.status === 400 || error.status === 422) &&
  source === "githost" &&
  sourceConfig?.buildOnPush == null &&
  error.detail.includes("build_on_push");

/** Reads a deployment of which a response shows only the ID. It is noted first, so that a failure keeps it. */
function readCreated(deployment: RemoteDeployment, { desired, marker, ctx }: SentCreate): Promise<RemoteDeployment> {
  const { id } = deployment;
  ctx.record({ id, inputs: { ...desired, sourceDigest: undefined }, state: toState(deployment), marker });
  return sendWithRouteRetry(() => ctx.clients.controlPlane.getDeployment(id), ctx.clock);
}

/** A response with an older deployment than this is about another one. The clocks of a server may differ. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** @throws OwnershipError for the response of an earlier create or one of others, which a gateway may repeat. */
function assertCreated(created: RemoteDeployment, { desired, marker, sentAt, knownIds }: SentCreate): void {
  const found = markerIn(created);
  if (marker !== undefined && found === marker) return;
  const isOlder = knownIds.has(created.id) || createdAtMs(created) < sentAt - MAX_CLOCK_SKEW_MS;
  const { name = desired.name } = nameIn(created, desired);
  if (found === undefined && !isOlder && name === desired.name) return;
  const owner = found === undefined ? "which this request did not create" : `which is managed by ${found}`;
  throw new OwnershipError(
    `The response to the create named deployment ${created.id}, ${owner}, so it was not taken. Could not ` +
      `determine whether the requested one was created. ${NEXT_UP_HINT}`,
  );
}

/** Returns what an unanswered request created. @throws HttpError if nothing has the name, or what may be others'. */
async function findCreated(lost: HttpError, sent: SentCreate): Promise<RemoteDeployment> {
  const { desired, marker, sentAt, knownIds, ctx } = sent;
  const found = await searchDesired(desired, ctx).catch((failure: unknown) => {
    throw toUndeterminedError(lost, failure);
  });
  if (!found)
    throw lost.withHint(
      `No deployment has the name "${desired.name}", so it was probably not created. ${NEXT_UP_HINT}`,
    );
  const { id } = found;
  const differences = creationDifferences(found, desired);
  if (differences.length > 0)
    throw lost.withHint(
      `Deployment ${id} has the name "${desired.name}" by now, but differs in ${differences.join(", ")}, so ` +
        "it was not taken: another program or run created it.",
    );
  if (marker !== undefined && markerIn(found) === marker) return found;
  const isUnknown = markerIn(found) === undefined && (marker === undefined || !showsMarker(found));
  const isNew = !knownIds.has(id) && createdAtMs(found) >= sentAt - MARGIN_MS;
  if (!isUnknown || !isNew)
    throw lost.withHint(`Deployment ${id} has the name "${desired.name}" by now, but may belong to others.`);
  ctx.log.warn(
    `The response to the create was lost. Deployment ${id} was created since then, with the same name and ` +
      "image, and was taken as the one of this resource. Its ownership marker could not be compared; if another " +
      "program created it, remove this resource from the state with `pulumi state delete`.",
  );
  return found;
}

const REJECTED: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

/** What messages mean, and what to do (API `2A.Deployment.agent:one`, `2A.SourceConfig.deployment_type:required`). */
const EXPLANATIONS: readonly (readonly [status: number, message: RegExp, hint: string])[] = [
  [
    409,
    /agent environment/i,
    "An agent has one deployment in each environment, also where a repository stands for it. Import that " +
      "deployment, or declare another environment. Nothing was created.",
  ],
  [409, /tracing project/i, "Choose another name, or rename or delete that tracing project. Nothing was created."],
  [
    409,
    /./,
    "If an earlier run was interrupted, run `pulumi up` again: the list may not show what it created yet. If a " +
      "deployment of this name was deleted in the last week, the platform keeps the name until then: choose another " +
      "one. Nothing was created.",
  ],
  [
    400,
    /scale to zero/i,
    "This region has no deployments that scale to zero: declare another sourceConfig.deploymentType, such as " +
      '"dev". Nothing was created.',
  ],
  [
    400,
    /deployment_type/,
    'Declare a sourceConfig.deploymentType that this server accepts for this source, such as "dev", "prod" ' +
      '(dedicated) or "dev_zero" (serverless). Nothing was created.',
  ],
  [400, /template_id/, "This server requires sourceConfig.templateId, the ID of the template. Nothing was created."],
];

/** Returns the error of a create with the existing alternatives, which are listed only in this case. */
async function explainRejection(error: unknown, { name, agent }: Inputs, ctx: Context): Promise<unknown> {
  if (!(error instanceof HttpError)) return error;
  if (agent && REJECTED.has(error.status) && /\b(name|agent)\b/.test(error.detail))
    return error.withHint("This server may have no agents: declare name in place of agent. Nothing was created.");
  if (error.status === 409 && ctx.scope.get(DeploymentsOfRun).deletedNames.has(name))
    return error.withHint(`The deployment "${name}" of this stack was deleted. ${RESERVED_NAME_HINT}`);
  const known = EXPLANATIONS.find(([status, message]) => status === error.status && message.test(error.detail));
  if (known) return error.withHint(known[2]);
  return REJECTED.has(error.status) ? withAlternatives(error, ctx) : error;
}
