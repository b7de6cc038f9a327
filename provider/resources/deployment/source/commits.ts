/** Which commits the revisions of a repository were built from. A deployment's response shows that of the newest only. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import type { State } from "../outputs";

type Commits = Pick<State, "latestRepoCommitSha" | "activeRepoCommitSha">;

/** The commits of the newest and of the live revision, as far as the response and state tell. */
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

/** The state with the commit of the live revision; it is requested only where nothing else tells. No refresh fails for it. */
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
