import { isIP } from "node:net";
import { ApiError } from "../runtime/errors";

/**
 * Refuses what a page of the web, open in a browser on this machine, may send to the admin side, which asks for no key:
 * such a request carries the page's origin, or reaches this machine by a name that the page's owner pointed at it.
 * Where others are meant to reach the emulator (`--host`), it cannot know by which name they do.
 */
export function assertLocalOrigin(listensAt: string, host = "", origin: string | undefined): void {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (isLoopback(listensAt) && !isLocalName(name) && name !== listensAt.toLowerCase()) {
    throw new ApiError(403, `The host "${name}" is not allowed here; use localhost or the IP address`);
  }
  if (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) return;
  throw new ApiError(403, `Requests from the origin "${origin}" are not allowed here`);
}

function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address.startsWith("127.");
}

/** An address cannot be pointed elsewhere, nor can localhost. */
function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}
