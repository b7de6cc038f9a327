import type { Platform } from "../platform";
import { startProxy } from "./proxy";

/** Starts a proxy in front of the emulator whose Date header is off by this many milliseconds. */
export async function startDatedProxy(
  { clock, url }: Platform,
  offsetMs: number,
): Promise<Pick<Platform, "clock" | "url">> {
  const headers = () => ({ date: new Date(clock.now() + offsetMs).toUTCString() });
  return { clock, url: await startProxy(url, () => undefined, { headers }) };
}
