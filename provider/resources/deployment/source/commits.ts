/** The commits of revisions of a repository. The response of a deployment contains that of the latest revision only. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import type { State } from "../outputs";

type Commits = Pick<State, "latestRepoCommitSha" | "activeRepoCommitSha">;

/** Returns the commits of the latest and of the live revision, as far as the response and state contain them. */
export function commitsOf(
  { latestRevisionId, activeRevisionId, sourceRevisionConfig }: RemoteDeployment,
  previous: Partial<State>,
): Commits {
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

function ignoreHttpError(error: unknown): undefined {
  if (!(error instanceof HttpError)) throw error;
  return undefined;
}
