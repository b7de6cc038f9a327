import { randomBytes } from "node:crypto";
import type { Context } from "../../runtime/context";
import { isDeleting } from "../lookup";
import { latestConfig, toDeployment } from "../model/records";
import { startRevision } from "../rollout/rollout";
import { referenceName, sameRepository, updateReference } from "./commits";

/** A simulated push to a repository. */
export interface Push {
  repo_url: string;
  /** The bare name of a branch, or refs/tags/ and the name of a tag. Default: the default branch of the repository. */
  ref?: string;
  /** Default: a random commit. */
  commit_sha?: string;
}

/** The reference that a push moved and the revisions that it created. */
export interface PushResult {
  ref: string;
  commit_sha: string;
  revisions: { deployment_id: string; revision_id: string }[];
}

/**
 * Moves a reference and creates a revision of each deployment that builds on push (API
 * `2A.SourceConfig.build_on_push`).
 */
export function push(
  context: Context,
  { repo_url, ref, commit_sha = randomBytes(20).toString("hex") }: Push,
): PushResult {
  const { store } = context;
  const name = referenceName(context, repo_url, ref);
  updateReference(context, repo_url, name, commit_sha);
  const triggered = store
    .all("SELECT * FROM deployments WHERE source = 'githost' ORDER BY seq")
    .map(toDeployment)
    .filter(({ source_config: config }) => config.build_on_push && sameRepository(config.repo_url, repo_url))
    .filter((deployment) => !isDeleting(deployment));
  const revisions = triggered.flatMap((deployment) => {
    const config = latestConfig(store, deployment);
    if (referenceName(context, repo_url, config.repo_ref) !== name) return [];
    return [{ deployment_id: deployment.id, revision_id: startRevision(context, deployment, config).id }];
  });
  return { ref: name, commit_sha, revisions };
}
