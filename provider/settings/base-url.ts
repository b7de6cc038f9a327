/** Base URLs as people have them: with the path of a version, of another tool, or below a prefix. */
import { knownServers, type Platforms } from "./platforms";
import { SERVERS, type ServerName } from "./servers";
import type { SettingKey, SettingsInput } from "./settings-schema";

/** What requests add themselves (API `5:base-urls`), and the path of a request, which people copy as well. */
const VERSION = /((\/api)?\/v[12]|\/v2\/deployments(\/.*)?|\/api\/v1\/(workspaces|sessions|bulk-exports)(\/.*)?)\/*$/;
const API = /\/api\/*$/;
/** The prefix of the control plane on self-hosted installations (API `5:base-urls`). */
const CONTROL_PLANE_PREFIX = "/api-host";

interface BaseUrls {
  urls: Record<ServerName, URL>;
  /** Where a server is if it lacks every route at its URL. */
  others: Partial<Record<ServerName, URL>>;
}

const withoutVersion = (url: URL): URL => withPath(url, url.pathname.replace(VERSION, ""));

/** Returns what a base URL without its `/api` would be; undefined if it has none. */
const withoutApi = (url: URL): URL | undefined =>
  API.test(url.pathname) ? withPath(url, url.pathname.replace(API, "")) : undefined;

function baseUrlsOf(url: URL, platforms: Platforms): BaseUrls {
  const known = knownServers(url, platforms);
  if (known) return { urls: known, others: {} };
  const plain = withoutVersion(url);
  const base = withoutApi(plain) ?? withPath(plain, plain.pathname.replace(/\/+$/, ""));
  if (base.pathname.endsWith(CONTROL_PLANE_PREFIX)) {
    const tracing = withPath(base, base.pathname.slice(0, -CONTROL_PLANE_PREFIX.length));
    return { urls: { controlPlane: base, tracing }, others: {} };
  }
  const below = withPath(base, base.pathname.replace(/\/$/, "") + CONTROL_PLANE_PREFIX);
  return { urls: { controlPlane: base, tracing: base }, others: { controlPlane: below } };
}

function withPath(url: URL, path: string): URL {
  const changed = new URL(url);
  changed.pathname = path;
  return changed;
}

/** The source of each setting, as shown to users: `stack configuration agentgraph:apiKey`. */
export type SettingSources = Readonly<Partial<Record<SettingKey, string>>>;

export interface ReadSettings {
  input: SettingsInput;
  sources: SettingSources;
  stored: readonly SettingKey[];
  explicit: boolean;
}

export type ServerUrls = Record<(typeof SERVERS)[ServerName], URL | undefined>;

/** Returns the URLs of the servers: their own settings, else what `url` stands for. */
export function serverUrls({ input, sources, stored }: ReadSettings, platforms: Platforms) {
  const base = input.url === undefined ? undefined : baseUrlsOf(new URL(input.url), platforms);
  const of = (server: ServerName) => {
    const text = input[SERVERS[server]];
    if (text === undefined) return { url: base?.urls[server], other: base?.others[server] };
    const url = withoutVersion(new URL(text));
    const known = knownServers(url, platforms)?.[server];
    return known ? { url: known, other: undefined } : { url, other: withoutApi(url) };
  };
  const [controlPlane, tracing] = [of("controlPlane"), of("tracing")];
  const implied = Object.values(SERVERS).filter((key) => input[key] === undefined && base !== undefined);
  const otherUrls = { controlPlane: controlPlane.other, tracing: tracing.other };
  return {
    urls: { controlPlaneUrl: controlPlane.url, tracingApiUrl: tracing.url } satisfies ServerUrls,
    otherUrls: Object.fromEntries(Object.entries(otherUrls).filter(([, url]) => url !== undefined)),
    sources: { ...Object.fromEntries(implied.map((key) => [key, sources.url])), ...sources },
    stored: stored.includes("url") ? [...stored, ...implied] : stored,
  };
}

export const textsOf = (urls: ServerUrls) =>
  Object.fromEntries(Object.entries(urls).flatMap(([key, url]) => (url ? [[key, url.href]] : [])));
