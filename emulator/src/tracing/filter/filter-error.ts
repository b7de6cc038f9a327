/** A filter that cannot be understood: the message is one sentence and ends with the place. */
export class FilterError extends Error {
  /** `position` counts characters from 0. */
  constructor(
    readonly what: string,
    readonly position: number,
  ) {
    super(`${what} at ${position}`);
  }
}
