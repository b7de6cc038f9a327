/** Finds the proxy for a server in the environment, as curl and Go do, and explains failures that are the proxy's. */
import { BlockList, isIP } from "node:net";
import { tryOr } from "../text/try-or";
import { UserError } from "../text/user-error";
import { type NetworkError, REFUSED_BY_PROXY } from "./errors";
import { isLoopback } from "./loopback";

export interface HttpProxy {
  url: URL;
  /** The environment variable that names it. */
  variable: string;
}

/** In the order in which they are used. An empty variable counts as absent. */
const HTTP_VARIABLES = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
const HTTPS_VARIABLES = ["https_proxy", "HTTPS_PROXY", ...HTTP_VARIABLES];
const EXCEPTIONS = ["no_proxy", "NO_PROXY"];
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "socks5:"]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for requests to a server; undefined for a direct connection. A proxy cannot reach a loopback
 * address, and would receive the API key unencrypted.
 * @throws UserError when the variable does not contain the address of a proxy.
 */
export function proxyFor(server: URL, environment: Environment = process.env): HttpProxy | undefined {
  if (isLoopback(server)) return undefined;
  const variable = firstSet(server.protocol === "https:" ? HTTPS_VARIABLES : HTTP_VARIABLES, environment);
  if (variable === undefined || isExcepted(server, environment)) return undefined;
  return { variable, url: parseProxy(variable, environment[variable]?.trim() ?? "") };
}

/** Whether the environment names a proxy for any server. */
export const hasProxy = (environment: Environment): boolean => firstSet(HTTPS_VARIABLES, environment) !== undefined;

/** Returns the address of a proxy without its password, and the variable. */
export const describeProxy = ({ url, variable }: HttpProxy): string => `${url.protocol}//${url.host} (${variable})`;

const firstSet = (names: readonly string[], environment: Environment) =>
  names.find((name) => environment[name]?.trim());

/** @throws UserError without the value, which may contain a password. */
function parseProxy(variable: string, value: string): URL {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value.replace(/^socks5?h?:/i, "socks5:") : `http://${value}`;
  const url = URL.parse(text);
  if (url && url.hostname !== "" && SCHEMES.has(url.protocol) && isDecodable(url)) return url;
  throw new UserError(
    `The environment variable ${variable} is not the address of a proxy. Expected http://host:port, ` +
      "https://host:port or socks5://host:port. No request was sent. Correct the variable, or add the server to " +
      "NO_PROXY.",
  );
}

const isDecodable = ({ username, password }: URL): boolean =>
  tryOr(() => decodeURIComponent(username + password), undefined) !== undefined;

function isExcepted(server: URL, environment: Environment): boolean {
  const host = server.hostname
    .toLowerCase()
    .replace(/^\[(.+)\]$/, "$1")
    .replace(/(?<=.)\.$/, "");
  const port = server.port || (server.protocol === "https:" ? "443" : "80");
  return exceptionsIn(environment).some((exception) => exception.matches?.(host, port));
}

/** Returns the entries of NO_PROXY that match no server: they are not in a form that is understood. */
export const uselessExceptions = (environment: Environment = process.env): string[] =>
  exceptionsIn(environment).flatMap(({ entry, matches }) => (matches ? [] : entry));

interface Exception {
  entry: string;
  /** Undefined when the entry is not in a form that is understood. */
  matches: ((host: string, port: string) => boolean) | undefined;
}

function exceptionsIn(environment: Environment): Exception[] {
  const entries = environment[firstSet(EXCEPTIONS, environment) ?? ""]?.split(/[\s,]+/).filter(Boolean) ?? [];
  return entries.map((entry) => ({ entry, matches: matcherOf(entry.toLowerCase()) }));
}

/** An entry is `*`, a domain with its subdomains, `*.domain`, or an address, each with a port or not, or a range. */
function matcherOf(entry: string): Exception["matches"] {
  if (entry.includes("/")) return rangeMatcher(entry);
  // The colons of an IPv6 address without brackets are no port.
  const [, name = entry, port] = isIP(entry) === 6 ? [] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
  const plain = name.replace(/^\[(.+)\]$/, "$1");
  const isPort = (other: string) => port === undefined || port === other;
  const family = isIP(plain);
  if (family !== 0) return rangeMatcher(`${plain}/${family === 4 ? 32 : 128}`, isPort);
  if (plain === "*") return (_host, other) => isPort(other);
  const domain = plain.replace(/^\*?\./, "").replace(/\.$/, "");
  if (!/^[^*:[\]]+$/.test(domain)) return undefined;
  const isOnlyBelow = plain.startsWith("*");
  return (host, other) => isPort(other) && ((host === domain && !isOnlyBelow) || host.endsWith(`.${domain}`));
}

function rangeMatcher(range: string, isPort = (_port: string) => true): Exception["matches"] {
  const [, address = "", bits = ""] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(range) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) return undefined;
  const addresses = new BlockList();
  addresses.addSubnet(address, Number(bits), family === 4 ? "ipv4" : "ipv6");
  return (host, port) => {
    const other = isIP(host);
    return other !== 0 && isPort(port) && addresses.check(host, other === 4 ? "ipv4" : "ipv6");
  };
}

/** Codes of connections to the proxy that were not established; the server did not receive the request. */
const CONNECTION_CODES =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_(CONNECT_TIMEOUT|PRX_\w+|SOCKS5\w*))$/;

export interface ProxyFailure {
  code: string;
  detail: string;
  hint: string;
}

/** Returns what a failure without a response says about the proxy; undefined when the server may be its cause. */
export function explainProxyFailure(proxy: HttpProxy, server: URL, error: NetworkError): ProxyFailure | undefined {
  const { variable } = proxy;
  const name = `proxy ${describeProxy(proxy)}`;
  const bypass = `If ${server.hostname} can be reached without it, add this name to NO_PROXY.`;
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message ?? "") ?? [];
  if (status !== undefined) {
    const remedy =
      status === "407"
        ? `The proxy requires a user name and a password. Write them into ${variable}: ` +
          "http://<user>:<password>@<host>:<port>"
        : "The proxy does not allow this connection, or cannot reach the server. Ask its operators.";
    const detail = `${name}: status ${status} in place of a connection to ${server.origin}`;
    return { code: REFUSED_BY_PROXY, detail, hint: `${remedy} ${bypass}` };
  }
  const code = error.code ?? error.errors?.[0]?.code ?? "";
  if (!CONNECTION_CODES.test(code)) return undefined;
  const cause = error.message || code;
  return {
    code,
    detail: `${name}: ${cause}`,
    hint: `The proxy is not reachable. Check ${variable}, and that the proxy is running. ${bypass}`,
  };
}
