import { isIP } from "node:net";
import { ApiError } from "../runtime/errors";

/**
 * Rejects requests that a web page in a local browser could send to the unauthenticated admin API: they carry the
 * page's origin, or a host name that the page's owner resolves to this machine. With a `--host` other than loopback,
 * the emulator cannot know its valid host names and checks only the origin.
 */
export function assertLocalOrigin(listenAddress: string, host = "", origin: string | undefined): void {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (isLoopback(listenAddress) && !isLocalName(name) && name !== listenAddress.toLowerCase()) {
    throw new ApiError(403, `The host "${name}" is not allowed here; use localhost or the IP address`);
  }
  if (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) return;
  throw new ApiError(403, `Requests from the origin "${origin}" are not allowed here`);
}

function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address.startsWith("127.");
}

/** Returns whether a host name always means this machine or a literal IP address. */
function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}
