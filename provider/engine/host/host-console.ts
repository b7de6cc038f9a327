/**
 * The engine's host of dynamic resources also prints errors of check, diff, read and delete to stderr. The display shows
 * those lines under the stack, although the error is already shown under its resource.
 */
import { PRINTED_USER_ERROR } from "../../text/user-error";

/** Suppresses the host's output of errors that are shown under their resource. */
export function suppressUserErrors(console: Pick<Console, "error"> = globalThis.console): void {
  const print = console.error.bind(console);
  console.error = (...values: unknown[]) => {
    if (values.length !== 1 || values[0] !== PRINTED_USER_ERROR) print(...values);
  };
}
