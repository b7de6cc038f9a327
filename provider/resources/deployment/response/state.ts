/** The outputs of a deployment: what its response shows, and what further requests add. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { HttpError, ignoreHttpError } from "../../../http/errors";
import type { State } from "../schema/outputs";

/** @param previous The state so far; the response contains the commit of the latest revision only. */
export function toState(remote: RemoteDeployment, previous: Partial<State> = {}): State {
  return {
    tenantId: remote.tenantId ?? "",
    url: remote.sourceConfig?.customUrl ?? undefined,
    latestRevisionId: remote.latestRevisionId ?? undefined,
    activeRevisionId: remote.activeRevisionId ?? undefined,
    status: remote.status,
    createdAt: remote.createdAt ?? "",
    updatedAt: remote.updatedAt ?? "",
    ...commitsOf(remote, previous),
    currentImageVersion: remote.imageVersion ?? undefined,
    isManagedDeepAgent: remote.isManagedDeepAgent ?? false,
    tracingProjectId: previous.tracingProjectId,
  };
}

/** Returns the commits of the latest and of the live revision: a response contains that of the latest one only. */
function commitsOf(
  { latestRevisionId, activeRevisionId, sourceRevisionConfig }: RemoteDeployment,
  previous: Partial<State>,
): Pick<State, "latestRepoCommitSha" | "activeRepoCommitSha"> {
  const latestRepoCommitSha = sourceRevisionConfig?.repoCommitSha ?? undefined;
  const commitByRevision = new Map([
    [previous.latestRevisionId, previous.latestRepoCommitSha],
    [previous.activeRevisionId, previous.activeRepoCommitSha],
    [latestRevisionId ?? undefined, latestRepoCommitSha],
  ]);
  const activeId = activeRevisionId ?? undefined;
  return { latestRepoCommitSha, activeRepoCommitSha: activeId && commitByRevision.get(activeId) };
}

/** Adds the commit of the live revision to the state, with a request only if it is unknown. A failure is ignored. */
export async function withLiveCommit(state: State, { id, source }: RemoteDeployment, ctx: Context): Promise<State> {
  const { activeRevisionId, activeRepoCommitSha } = state;
  if (source !== "githost" || activeRevisionId === undefined || activeRepoCommitSha !== undefined) return state;
  if (activeRevisionId === state.latestRevisionId) return state;
  const revision = await ctx.clients.controlPlane.getRevision(id, activeRevisionId).catch(ignoreHttpError);
  return { ...state, activeRepoCommitSha: revision?.sourceRevisionConfig?.repoCommitSha ?? undefined };
}

/**
 * Returns the ID of the tracing project that is created with each deployment and has its name (API `1A`), if it is available.
 * A failure only causes a warning.
 */
export async function findTracingProject(name: string, ctx: Context): Promise<string | undefined> {
  if (ctx.settings.missing.tracing.length > 0) return undefined;
  try {
    return (await ctx.clients.projectCache.findByName(name))?.id;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    ctx.log.warn(`tracingProjectId is unknown, because the request to the tracing API failed: ${error.message}`);
    return undefined;
  }
}
