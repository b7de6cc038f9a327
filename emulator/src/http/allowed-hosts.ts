import { isIP } from "node:net";
import type { Settings } from "../runtime/options";

/** The address that the emulator listens on, and the names that the user allowed. */
export type HostSettings = Pick<Settings, "host" | "allowHost">;

/**
 * Finds out whether a web page in a browser may have sent a request that was not meant for the emulator: it carries the
 * origin of that page, or a host name that the page's owner resolves to this machine. Returns the reason to reject it.
 */
export function findForeignAddress(
  settings: HostSettings,
  url: Pick<URL, "hostname" | "origin">,
  origin: string | undefined,
): string | undefined {
  if (!isAllowedHost(settings, url.hostname)) {
    return `The host name "${url.hostname}" is not allowed. ${howToAllow("a name", url.hostname)}`;
  }
  if (origin === undefined) return undefined;
  const page = URL.parse(origin);
  if (page !== null && (page.origin === url.origin || settings.allowHost.includes(page.hostname))) return undefined;
  return (
    `Requests from web pages of "${origin}" are not allowed. ` + `${howToAllow("an address", page?.hostname || "NAME")}`
  );
}

function howToAllow(what: string, name: string): string {
  return `If it is ${what} of this emulator, start it with --allow-host ${name}`;
}

function isAllowedHost({ host, allowHost }: HostSettings, hostname: string): boolean {
  if (isLocalName(hostname) || hostname === host.toLowerCase() || allowHost.includes(hostname)) return true;
  // Such as a container's name. Pages on the Internet have a dot in their name, and anyone who can give a page such a
  // name on this network can reach an emulator that is not on a loopback address anyway.
  return !isLoopback(host) && !hostname.includes(".");
}

export function isLoopback(address: string): boolean {
  return ["localhost", "::1", "[::1]"].includes(address) || address.endsWith(".localhost") || isLoopbackIp(address);
}

const isLoopbackIp = (address: string) => isIP(address) === 4 && address.startsWith("127.");

/** Returns whether a host name always means this machine or a literal IP address. */
function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}
