/** An invalid filter. Its message ends with the position. */
export class FilterError extends Error {
  /** `position` counts characters from 0. */
  constructor(
    readonly reason: string,
    readonly position: number,
  ) {
    super(`${reason} at ${position}`);
  }
}
