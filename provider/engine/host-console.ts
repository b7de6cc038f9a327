/**
 * The engine's host of dynamic resources prints what check, diff, read and delete throw to stderr, too, and the display
 * shows that as lines of the stack, far from the resource under which the error stands.
 */
import { PRINTED_USER_ERROR } from "../text/user-error";

let isInstalled = false;

/** Leaves out what the host prints of an error that is shown under its resource. Everything else passes. */
export function suppressUserErrors(console: Pick<Console, "error"> = globalThis.console): void {
  if (isInstalled) return;
  isInstalled = true;
  const print = console.error.bind(console);
  console.error = (...values: unknown[]) => {
    if (values.length !== 1 || values[0] !== PRINTED_USER_ERROR) print(...values);
  };
}
