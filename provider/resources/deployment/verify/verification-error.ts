/** The live revision failed a check. */
import { RolloutError, type RolloutFailure } from "../rollout/rollout-error";

export class VerificationError extends RolloutError {
  override name = "VerificationError";

  /**
   * @param revisionId The live revision, which failed.
   * @param reason What failed, in one line without secrets.
   * @param isSuperseded Whether others have deployed another revision since, which a rollback would undo.
   */
  constructor(
    failure: RolloutFailure,
    readonly revisionId: string,
    readonly reason: string,
    readonly isSuperseded: boolean,
  ) {
    super(failure);
  }
}
