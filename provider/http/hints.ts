/** What an error says about an address or a credential that may be wrong: what to try, and where both come from. */

/** What the settings say about a server and the requests to it. */
export interface ServerFacts {
  /** The setting that holds its address, and where that came from: `controlPlaneUrl, from stack configuration …`. */
  address?: string;
  /** What is sent as a credential, such as `API key`; nothing when absent. */
  credential?: string;
  /** Where the credential came from. */
  credentialSource?: string;
  /** The workspace that is asked for, and where it came from. */
  workspace?: string;
  /** What to do when it refuses, in place of the usual advice. */
  rejectionHint?: string;
}

/** What came instead of a good response. */
export interface FailureFacts {
  /** The HTTP status; undefined when no response came. */
  status?: number | undefined;
  /** The code of a network error. */
  code?: string | undefined;
  /** Whether a 404 is about the route, and not about an object. */
  isRoute: boolean;
}

const NETWORK_HINTS: Record<string, string> = {
  ENOTFOUND: "No host has this name: check the spelling of the URL, and the name server of this network.",
  EAI_AGAIN: "The name of the host could not be resolved: check the network and its name server.",
  ECONNREFUSED: "Nothing listens at this address: check the URL and its port, and that the server is running.",
  EHOSTUNREACH: "The host cannot be reached from here: check the URL, the network and proxies.",
  ENETUNREACH: "The network of the host cannot be reached from here: check the URL, the network and proxies.",
  UND_ERR_CONNECT_TIMEOUT: "No connection was made in time: check the URL, the network and proxies.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another host: use a host name in the URL that it contains.",
  CERT_HAS_EXPIRED: "The certificate of the server has expired: ask its operators to renew it.",
};

/**
 * Returns what to try, or undefined where the server's own words are all that is known. What has a hint lies in the
 * settings or the network, so that many requests meet it.
 */
export function hintFor(failure: FailureFacts, origin: string, facts: ServerFacts): string | undefined {
  const hint = failure.status === undefined ? hintForNetworkError(failure.code) : hintForStatus(failure, facts);
  if (hint === undefined) return undefined;
  const isUnauthorized = failure.status === 401 || failure.status === 403;
  const details = [
    ["server", facts.address ? `${origin} (${facts.address})` : origin],
    ...(isUnauthorized ? [[facts.credential ?? "credential", facts.credentialSource ?? "none was sent"]] : []),
    ...(isUnauthorized && facts.workspace ? [["workspace", facts.workspace]] : []),
  ];
  const width = Math.max(...details.map(([name = ""]) => name.length));
  const lines = details.map(([name = "", value]) => `  ${name.padEnd(width)}  ${value}`);
  return [hint, ...lines].join("\n");
}

function hintForNetworkError(code = ""): string | undefined {
  if (code.startsWith("ERR_SSL_")) {
    return "The server does not use TLS, but the URL is https: check the port of the URL, and proxies in between.";
  }
  if (NETWORK_HINTS[code]) return NETWORK_HINTS[code];
  return /CERT|SIGNATURE/.test(code)
    ? "Node does not trust the certificate: set the environment variable NODE_EXTRA_CA_CERTS to a file with that of its authority."
    : undefined;
}

function hintForStatus({ status, isRoute }: FailureFacts, { credential = "credential", rejectionHint }: ServerFacts) {
  if (status === 401) {
    return (
      rejectionHint ??
      `The ${credential} may be expired, revoked or meant for another server: create a new one and set it where this one came from.`
    );
  }
  if (status === 403) {
    return (
      rejectionHint ??
      `The ${credential} may be wrong or expired, or lack access to the workspace (tenantId), a permission, or the plan.`
    );
  }
  if (status === 404 && isRoute) {
    return "The server has no such route: check that the URL is the base URL of the API, without a version such as /v2.";
  }
  return undefined;
}
