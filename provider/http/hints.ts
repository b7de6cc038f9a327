/** Hints for failures that point to a wrong address, credential or network: what to try, and the sources of values. */
import type { Detail } from "../text/format";

export interface ServerFacts {
  /** The setting with its address and the source of the value: `controlPlaneUrl, from stack configuration …`. */
  address?: string;
  /** The kind of credential, such as `API key`; absent when none is sent. */
  credential?: string;
  credentialSource?: string;
  /** The requested workspace and the source of the value. */
  workspace?: string;
  /** How to change the address and the credential where they came from, as the ends of sentences. */
  addressRemedy?: string | undefined;
  credentialRemedy?: string;
  /** The base URLs of the platform's regions, for each of which there are other credentials. */
  regions?: readonly string[];
  /** The hint for a 401 or 403, in place of the usual one. */
  rejectionHint?: string;
  /** Whether the engine keeps the address in state: it came from the stack configuration or from a Provider. */
  isAddressStored?: boolean;
  /** Whether the engine keeps the credential or the workspace in state. */
  isCredentialStored?: boolean;
}

export interface FailureFacts {
  status?: number | undefined;
  code?: string | undefined;
  /** Whether a 404 concerns the route rather than an object. */
  isRoute: boolean;
  /** Whether the response is not of the API, such as the page of a website. */
  isPage?: boolean;
  /** The proxy that the request went to, and the variable that names it. */
  proxy?: string | undefined;
  /** What to try when the proxy is the cause. */
  proxyHint?: string | undefined;
}

const TLS_HINT = "Node.js and the server cannot agree on a TLS connection. Check the URL, the server and any proxy.";
const NETWORK_HINTS: Record<string, string> = {
  ENOTFOUND: "The host name does not exist. Check the spelling of the URL and the DNS of this network.",
  EAI_AGAIN: "The host name could not be resolved. Check the network and its DNS server.",
  ECONNREFUSED: "Nothing is listening at this address. Check the URL and its port, and that the server is running.",
  EHOSTUNREACH: "The host is unreachable. Check the URL, the network and any proxy.",
  ENETUNREACH: "The host's network is unreachable. Check the URL, the network and any proxy.",
  UND_ERR_CONNECT_TIMEOUT: "The connection timed out. Check the URL, the network and any proxy.",
  ERR_SSL_WRONG_VERSION_NUMBER:
    "The server does not use TLS, but the URL is https. Check the port of the URL and any proxy.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The certificate is for a different host. Use a host name in the URL that the certificate covers.",
  CERT_HAS_EXPIRED: "The server's certificate has expired. Ask its operators to renew it.",
};

export interface Hint {
  hint: string;
  /** The server and the credential, and where each comes from. */
  settings: readonly Detail[];
}

/** Returns what to try where settings or the network are the cause, which affects many requests. */
export function hintFor(failure: FailureFacts, server: string, facts: ServerFacts): Hint | undefined {
  const hint = failure.status === undefined ? hintForNetworkError(failure, facts) : hintForStatus(failure, facts);
  if (hint === undefined) return undefined;
  const isUnauthorized = failure.status === 401 || failure.status === 403;
  const settings: Detail[] = [["server", facts.address ? `${server} (${facts.address})` : server]];
  if (failure.status === undefined && failure.proxy) settings.push(["proxy", failure.proxy]);
  if (isUnauthorized) settings.push([facts.credential ?? "credential", facts.credentialSource ?? "none was sent"]);
  if (isUnauthorized && facts.workspace) settings.push(["workspace", facts.workspace]);
  return { hint, settings };
}

function hintForNetworkError({ code = "", proxy, proxyHint }: FailureFacts, facts: ServerFacts): string | undefined {
  if (proxyHint !== undefined) return proxyHint;
  const hint = NETWORK_HINTS[code] ?? (code.startsWith("ERR_SSL_") ? TLS_HINT : undefined);
  if (hint !== undefined) return hint.includes("URL") ? withAddressRemedy(hint, facts) : hint;
  return /CERT|SIGNATURE/.test(code)
    ? "Node.js does not trust the certificate. Set the environment variable NODE_EXTRA_CA_CERTS to a file with " +
        "the certificate of its authority."
    : proxy && "The request went through a proxy, which may be the cause.";
}

export const withAddressRemedy = (hint: string, { addressRemedy }: ServerFacts = {}): string =>
  addressRemedy === undefined ? hint : `${hint} To set another URL, ${addressRemedy}`;

function hintForStatus({ status, isRoute }: FailureFacts, facts: ServerFacts): string | undefined {
  const { credential = "credential", rejectionHint, credentialRemedy } = facts;
  if (status === 401) {
    const remedy = credentialRemedy ?? "set it where this one came from.";
    const hint =
      `The ${credential} may be expired, revoked or issued by another server. ` + `Create a new one and ${remedy}`;
    return rejectionHint ?? hint + hintForRegions(facts);
  }
  if (status === 403) {
    const hint =
      `The ${credential} may be wrong or expired, or lack access to the workspace (tenantId), the permission or ` +
      "the plan.";
    const remedy = credentialRemedy === undefined ? "" : ` To set another one, ${credentialRemedy}`;
    return rejectionHint ?? hint + remedy + hintForRegions(facts);
  }
  if (status === 404 && isRoute) {
    const hint =
      "The server does not have this route. Check that the URL is the base URL of the platform: not that of " +
      "its website, of an agent, or of a single route.";
    return withAddressRemedy(hint, facts);
  }
  return undefined;
}

function hintForRegions({ regions = [], credential, addressRemedy }: ServerFacts): string {
  if (regions.length === 0 || addressRemedy === undefined) return "";
  const listed = regions.map((url) => `\n    ${url}`).join("");
  return `\nThe ${credential} may be that of another region. If so, ${addressRemedy} The regions are:${listed}`;
}

const LOGIN = /\b(log-?in|sign-?in|sso|auth|authorize|oauth2?|saml2?)\b/i;

export function redirectHint({ origin, pathname }: URL, location = "another URL", facts: ServerFacts = {}): string {
  const target = URL.parse(location, origin);
  if (target?.origin === origin && target.pathname.replace(/\/$/, "") === pathname.replace(/\/$/, ""))
    return (
      `${origin} redirects to the same path with or without a slash at its end, and redirects are not followed. A ` +
      "proxy in front of the API may change it: let it forward paths as they are."
    );
  const isLogin = target !== null && LOGIN.test((target.origin === origin ? "" : target.hostname) + target.pathname);
  const hint = isLogin
    ? `${origin} redirects to ${location}, where people log in. Use the URL of the API, which is not that of ` +
      "its website, and which no login protects."
    : `${origin} redirects to ${location}. Use that URL instead: redirects are not followed, so that the API ` +
      "key cannot leak.";
  // Others choose the location, so it must be safe in a command. The path of a request does no harm in a base URL.
  const moved = isLogin ? undefined : /^https:\/\/[\w.:/-]+/.exec(location)?.[0];
  return withAddressRemedy(hint, { ...facts, addressRemedy: facts.addressRemedy?.replace("<url>", moved ?? "<url>") });
}
