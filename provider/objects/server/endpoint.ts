/** The agent server that an object lives on: finds it, waits for it, and finds and deletes the object there. */
import type { AgentServerClient } from "../../api/agent-server/client";
import { type Deployment, FAILED_STATUSES, isDeleting } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import { WrongServerError } from "../../definition/ownership";
import { nativeToken, parseUrn } from "../../definition/type-token";
import { HttpError } from "../../http/errors";
import type { PropertyMap } from "../../schema/schema";
import { UserError } from "../../text/user-error";

export interface EndpointInputs extends PropertyMap {
  deploymentId?: string | undefined;
  deploymentUrl?: string | undefined;
}

export interface AgentEndpoint {
  server: AgentServerClient;
  /** The deployment; absent when the program declares the server's URL. */
  deploymentId?: string | undefined;
  /** Workspace of the deployment; absent when the program declares the server's URL. */
  tenantId?: string | undefined;
}

/** The same, with the workspace in state. */
export interface Location extends EndpointInputs {
  tenantId?: string | undefined;
}

/** Returns the agent server; undefined without its deployment. @param nouns Such as `threads`. @throws UserError. */
export async function resolveEndpoint(
  nouns: string,
  location: Location,
  ctx: Context,
): Promise<AgentEndpoint | undefined> {
  const { deploymentId, deploymentUrl } = location;
  if (deploymentUrl !== undefined) return { server: await ctx.clients.agentServers.serverFromUserUrl(deploymentUrl) };
  if (deploymentId === undefined)
    throw new UserError(
      "The state names neither deploymentId nor deploymentUrl. Remove the resource from state with " +
        "`pulumi state delete`, and adopt the object with the resource option import.",
    );
  const deployment = await ctx.clients.agentServers.findDeployment(deploymentId);
  if (!deployment) return assertDeleted(deploymentId, location.tenantId, ctx);
  if (isDeleting(deployment)) return undefined;
  const endpoint = endpointOf(deployment, ctx);
  if (endpoint) return endpoint;
  throw new UserError(
    `Deployment ${deploymentId} has no URL (status ${deployment.status}), so its ${nouns} cannot be reached. ` +
      "Check that a revision of it is live. State is unchanged.",
  );
}

/** @param find Undefined when the object does not exist. @throws HttpError when only the server is unreachable. */
export async function findOnServer<T>(
  find: () => Promise<T | undefined>,
  { deploymentId }: AgentEndpoint,
  { clients }: Pick<Context, "clients">,
): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof HttpError) || !error.isNotFound || deploymentId === undefined) throw error;
    const deployment = await clients.deploymentCache.findCurrent(deploymentId);
    if (deployment && !isDeleting(deployment)) throw error;
    return undefined;
  }
}

/** Waits until the agent server responds, because its deployment may have been created in this run. */
export async function waitForEndpoint(
  { deploymentId, deploymentUrl }: EndpointInputs,
  ctx: Context,
): Promise<AgentEndpoint> {
  // The wait is for the agent server: a control plane that does not respond is a separate error.
  if (deploymentUrl !== undefined) await ctx.clients.agentServers.serverFromUserUrl(deploymentUrl);
  let missingSince: number | undefined;
  return ctx.waitUntil<AgentEndpoint>({
    kind: "agent server",
    what:
      "the agent server " +
      `${deploymentUrl === undefined ? `of deployment ${deploymentId}` : `at ${deploymentUrl}`} to respond`,
    poll: async () => {
      const { endpoint, isLive } =
        deploymentUrl === undefined
          ? await findDeploymentEndpoint(deploymentId ?? "", ctx)
          : { endpoint: { server: await ctx.clients.agentServers.serverFromUserUrl(deploymentUrl) }, isLive: true };
      if (endpoint && (await endpoint.server.checkReadiness()) !== "unreachable") return { done: endpoint };
      const now = ctx.clock.monotonic();
      if (isLive) missingSince ??= now;
      if (now - (missingSince ?? now) < INGRESS_DELAY_MS)
        return { pending: endpoint ? "not routed yet (404)" : "the deployment has no URL yet" };
      throw new UserError(
        endpoint
          ? `No agent server responds at ${endpoint.server.url}: /ok and /threads/search returned 404 for ` +
              `${INGRESS_DELAY_MS / 60_000} minutes. Nothing was created. Check that the URL points to an agent ` +
              "server and includes its path."
          : `Deployment ${deploymentId} is live, but the server reports no URL for it. Nothing was created. Declare ` +
              "the URL of its agent server: as deploymentUrl in place of deploymentId or, for an external image, as " +
              "sourceConfig.customUrl of the deployment.",
      );
    },
    onInterruptHint: "nothing was created yet; the next `pulumi up` starts over",
  });
}

/** The longest time that a new server may have no URL (API `2A.SourceConfig.custom_url:image`), or no route to it. */
const INGRESS_DELAY_MS = 5 * 60_000;

/** @throws UserError when the deployment cannot get a URL without a change. */
async function assertCanBecomeLive(
  { id, activeRevisionId, latestRevisionId }: Deployment,
  { clients: { controlPlane } }: Context,
): Promise<void> {
  if (activeRevisionId != null || latestRevisionId == null) return;
  const { status } = await controlPlane.getRevision(id, latestRevisionId);
  if (!FAILED_STATUSES.has(status)) return;
  throw new UserError(
    `Deployment ${id} has no URL, because none of its revisions ever became live: revision ` +
      `${latestRevisionId} is ${status}. Nothing was created. Fix the deployment, then run \`pulumi up\` again.`,
  );
}

async function findDeploymentEndpoint(deploymentId: string, ctx: Context) {
  const deployment = await ctx.clients.agentServers.findDeployment(deploymentId);
  if (deployment && !isDeleting(deployment)) {
    const endpoint = endpointOf(deployment, ctx);
    if (!endpoint) await assertCanBecomeLive(deployment, ctx);
    return { endpoint, isLive: endpoint !== undefined || deployment.activeRevisionId != null };
  }
  throw new UserError(
    `deploymentId: deployment ${deploymentId} ` +
      `${deployment ? "is being deleted" : "does not exist in this workspace"}. Nothing was created. Use the ID ` +
      "of a deployment that is live, usually the output `id` of a Deployment.",
  );
}

function endpointOf(deployment: Deployment, ctx: Context): AgentEndpoint | undefined {
  const server = ctx.clients.agentServers.serverOf(deployment);
  return server && { server, deploymentId: deployment.id, tenantId: deployment.tenantId ?? undefined };
}

/** Returns the ID for the resource option `import`. @param kind Such as `Thread`, for the native provider's. */
export function importIdOf(
  kind: string,
  id: string,
  { deploymentId, deploymentUrl }: EndpointInputs,
  { urn }: Pick<Context, "urn">,
): string {
  return parseUrn(urn).type === nativeToken(kind) ? `${deploymentUrl ?? deploymentId}/${id}` : id;
}

/**
 * Verifies that a deployment that is gone was deleted: for an API key of another workspace it is gone as well.
 * @throws WrongServerError when the API key belongs to another workspace than the one in state.
 */
export async function assertDeleted(id: string, tenantId: string | undefined, ctx: Context): Promise<undefined> {
  if (!tenantId || ctx.settings.tenantId || ctx.settings.allowServerChange) return;
  const currentTenantId = (await ctx.clients.controlPlane.newestDeployment())?.tenantId;
  if (currentTenantId === tenantId) return;
  const mismatch = currentTenantId
    ? `the API key belongs to workspace ${currentTenantId}`
    : await findInWorkspace(id, tenantId, ctx);
  if (mismatch) throw new WrongServerError(`in workspace ${tenantId}`, mismatch);
}

/** Requests the deployment in the workspace of state, because an empty list does not identify its workspace. */
async function findInWorkspace(id: string, tenantId: string, ctx: Context): Promise<string | undefined> {
  try {
    await ctx.clients.controlPlane.getDeployment(id, tenantId);
    return (
      "without agentgraph:tenantId the API key resolves to a different, empty workspace; the deployment still " +
      "exists in the original one"
    );
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isNotFound) return undefined;
    if (error.isUnauthorized)
      return (
        `the API key resolves to a different, empty workspace and has no access to that one (${error.status}: ` +
        `${error.quote})`
      );
    throw error;
  }
}
