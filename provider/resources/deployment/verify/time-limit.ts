/** The time of an attempt that consists of more than one request. */
import type { Clock } from "../../../http/clock";

/** Returns the result; undefined once time is over or the run is canceled. @param act Receives the signal to end. */
export async function within<T>(
  clock: Pick<Clock, "deadline" | "canceled">,
  milliseconds: number,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const signal = AbortSignal.any([clock.deadline(milliseconds), ...(clock.canceled ? [clock.canceled] : [])]);
  const over = Promise.withResolvers<undefined>();
  const end = () => over.resolve(undefined);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    return await Promise.race([act(signal), over.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
