/** The agent server that a thread lives on. */
import type { AgentServerClient } from "../../api/agent-server/client";
import type { Deployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import { UserError } from "../../text/user-error";
import { assertDeleted, isDeleting } from "../shared/not-found";
import type { Inputs, State } from "./fields";

export interface AgentEndpoint {
  server: AgentServerClient;
  /** Workspace of the deployment; absent where the server is a foreign one. */
  tenantId?: string | undefined;
}

type ThreadLocation = Pick<Inputs, "deploymentId" | "deploymentUrl"> & Partial<Pick<State, "tenantId">>;

/**
 * Where the thread is, or undefined when its deployment is gone, and it with it.
 * @throws UserError when nothing says where it is, or the deployment has no address.
 */
export async function resolveEndpoint(location: ThreadLocation, ctx: Context): Promise<AgentEndpoint | undefined> {
  const { deploymentId, deploymentUrl } = location;
  if (deploymentUrl !== undefined) return { server: await ctx.clients.agents.serverFromUserUrl(deploymentUrl) };
  if (deploymentId === undefined) throw new UserError(LOCATION_REQUIRED);
  const deployment = await ctx.clients.agents.deployment(deploymentId);
  if (!deployment) return assertDeleted(deploymentId, location.tenantId, ctx);
  if (isDeleting(deployment)) return undefined;
  const endpoint = endpointOf(deployment, ctx);
  if (endpoint) return endpoint;
  throw new UserError(
    `Deployment ${deploymentId} has no address (its status is ${deployment.status}), so its threads cannot be reached. Does its first revision serve? State was left as it is.`,
  );
}

/** Waits until the agent server responds: its deployment may have been created in this run. */
export function waitForEndpoint(desired: Inputs, ctx: Context): Promise<AgentEndpoint> {
  const { deploymentId, deploymentUrl } = desired;
  let notFoundSince: number | undefined;
  return ctx.waitUntil<AgentEndpoint>({
    what: `the agent server ${deploymentUrl === undefined ? `of deployment ${deploymentId}` : `at ${deploymentUrl}`} to answer`,
    poll: async () => {
      const endpoint =
        deploymentUrl === undefined
          ? await findDeploymentEndpoint(deploymentId ?? "", ctx)
          : { server: await ctx.clients.agents.serverFromUserUrl(deploymentUrl) };
      if (!endpoint) return { pending: "the deployment has no address yet" };
      if ((await endpoint.server.awaitReadiness()) !== "is not found") return { done: endpoint };
      notFoundSince ??= ctx.clock.monotonic();
      if (ctx.clock.monotonic() - notFoundSince < INGRESS_DELAY_MS) return { pending: "404, so not routed yet" };
      throw new UserError(
        `No agent server answers at ${endpoint.server.url}: /ok and /threads/search returned 404 for ${INGRESS_DELAY_MS / 60_000} minutes. Nothing was created. Check that the URL names an agent server, with its path.`,
      );
    },
    onInterruptHint: "nothing was created yet, and the next `pulumi up` begins again",
  });
}

/** How long an ingress may take to route to a new server. Milliseconds. */
const INGRESS_DELAY_MS = 5 * 60_000;
const FAILED_STATUSES: ReadonlySet<string> = new Set(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"]);

/** @throws UserError when the deployment will get no address by itself. */
async function assertCanBecomeLive(
  { id, activeRevisionId, latestRevisionId }: Deployment,
  { clients: { controlPlane } }: Context,
): Promise<void> {
  if (activeRevisionId != null || latestRevisionId == null) return;
  const { status } = await controlPlane.getRevision(id, latestRevisionId);
  if (!FAILED_STATUSES.has(status)) return;
  throw new UserError(
    `Deployment ${id} has no address, because no revision of it ever became live: revision ${latestRevisionId} is ${status}. Nothing was created. Fix the deployment, then run \`pulumi up\` again.`,
  );
}

async function findDeploymentEndpoint(deploymentId: string, ctx: Context): Promise<AgentEndpoint | undefined> {
  const deployment = await ctx.clients.agents.deployment(deploymentId);
  if (deployment && !isDeleting(deployment)) {
    const endpoint = endpointOf(deployment, ctx);
    if (!endpoint) await assertCanBecomeLive(deployment, ctx);
    return endpoint;
  }
  throw new UserError(
    `deploymentId: deployment ${deploymentId} ${deployment ? "is being deleted" : "does not exist in this workspace"}. Nothing was created. Write the id of one that serves, usually as the output \`id\` of a Deployment.`,
  );
}

function endpointOf({ sourceConfig, tenantId }: Deployment, ctx: Context): AgentEndpoint | undefined {
  const url = sourceConfig?.customUrl;
  return url ? { server: ctx.clients.agents.trustedServer(url), tenantId } : undefined;
}

/** `pulumi import` knows the id alone. */
const LOCATION_REQUIRED =
  'A thread\'s id alone does not say which agent server holds it. To import one, declare it in the program with deploymentId or deploymentUrl and the resource option  import: "<thread id>"  and run `pulumi up`. Nothing was changed.';
