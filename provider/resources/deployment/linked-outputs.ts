/** Outputs that the response about a deployment does not contain: other requests show them. */
import type { Deployment as RemoteDeployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import { HttpError, ignoreHttpError } from "../../http/errors";
import type { State } from "./schema/fields";

/** Adds the commit of the live revision to the state, with a request only if it is unknown. A failure is ignored. */
export async function withLiveCommit(state: State, { id, source }: RemoteDeployment, ctx: Context): Promise<State> {
  const { activeRevisionId, activeRepoCommitSha } = state;
  if (source !== "githost" || activeRevisionId === undefined || activeRepoCommitSha !== undefined) return state;
  if (activeRevisionId === state.latestRevisionId) return state;
  const revision = await ctx.clients.controlPlane.getRevision(id, activeRevisionId).catch(ignoreHttpError);
  return { ...state, activeRepoCommitSha: revision?.sourceRevisionConfig?.repoCommitSha ?? undefined };
}

/**
 * Returns the ID of the tracing project that is created with each deployment and has its name (API `1A`), if it is
 * available. A failure only causes a warning.
 */
export async function findTracingProject(name: string, ctx: Context): Promise<string | undefined> {
  if (name === "" || ctx.settings.missing.tracing.length > 0) return undefined;
  try {
    return (await ctx.clients.projectCache.findByName(name))?.id;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    ctx.log.warn(`tracingProjectId is unknown, because the request to the tracing API failed: ${error.message}`);
    return undefined;
  }
}
