/** An invalid trace run. Its message names the field and the reason. */
export class RunError extends Error {
  /** Index of the run in its batch, from 0. */
  index = 0;
}
