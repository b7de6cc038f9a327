/** A trace run that cannot be stored: its message says which field and why. */
export class RunError extends Error {
  /** Which of the runs that were given, from 0; set by who knows. */
  index = 0;
}
