/** What the deployments of a run share. */

/** Number of concurrent waits from which on they share polls of the list, which contains the active revisions. */
const MIN_WAITS_TO_SHARE = 5;

export class DeploymentsOfRun {
  rolloutCount = 0;
  hasConcurrentRollouts = false;
  /** Names of deployments whose errors show a log, by the digest of that log. */
  readonly nameByLog = new Map<string, string>();
  /** Names of deployments that this run deleted, or found deleted: a server may keep them reserved. */
  readonly deletedNames = new Set<string>();
  /** Names of deployments that this run replaces with others of the same name. */
  readonly replacedNames = new Set<string>();
  /** IDs of deployments that had to be deleted on a server without deletion: their names stay taken. */
  readonly undeletableIds = new Set<string>();

  get sharesRolloutPolls(): boolean {
    return this.rolloutCount >= MIN_WAITS_TO_SHARE;
  }
}
