/**
 * Compares what the provider sends to agent servers with what published ones accepted: route, parameters and their
 * types.
 */
import { KNOWN_VALUES } from "../../../provider/api/known-values";
import { agentKinds } from "../agents/kinds";
import { type Recording, readRecordings } from "./recordings";

export interface AgentRequest {
  method: string;
  /** Below the URL of the agent server; may contain a query. */
  path: string;
  body?: unknown;
}

/** Segments of paths that are not IDs. */
const FIXED = new Set([
  ...agentKinds.map(({ names }) => names.path),
  ...["threads", "runs", "crons", "search", "copy", "state", "history", "versions", "schemas", "graph", "subgraphs"],
  ...["store", "items", "count", "ok", "info"],
]);
/** Fields whose content belongs to users and their graphs. */
const FREE_FORM = /(^|\.)(context|configurable|values|input|command)$|^value$|^config\.\*$/;
/** The declared keys of a configuration; users may add others. */
const CONFIG_KEY = /^(tags|recursion_limit|configurable)$/;
/** Texts that servers know are different types; any other text is one. */
const WORDS = new Set<string>([
  ...[
    ...["ThreadStatus", "ThreadTtlStrategy", "CronMultitaskStrategy", "CronOnRunCompleted", "CronDurability"],
    "CronStreamMode",
  ].flatMap((type) => KNOWN_VALUES[type as keyof typeof KNOWN_VALUES] as readonly string[]),
  ...["raise", "do_nothing", "asc", "desc", "thread_id", "created_at", "updated_at", "state_updated_at"],
]);
const WORD_FIELDS = new Set([
  ...["status", "strategy", "multitask_strategy", "on_run_completed", "durability", "stream_mode", "if_exists"],
  ...["sort_by", "sort_order"],
]);
/** @param path The path of a field, or of an item of a list. */
const isWordField = (path: string) => WORD_FIELDS.has(path.replace(/\.0$/, "").replace(/^.*\./, ""));

/** Returns a route such as `GET /threads/*`. */
function routeOf({ method, path }: AgentRequest): string {
  const [pathname = ""] = path.split("?");
  return `${method} ${pathname.replaceAll(/[^/]+/g, (part) => (FIXED.has(part) ? part : "*"))}`;
}

/** Returns the parameters of a request with their types, such as `ttl.strategy: "delete"`. */
function parametersOf({ path, body }: AgentRequest): string[] {
  const query = [...new URL(path, "http://agent").searchParams].map(([name, value]) => `?${name}=${value}`);
  return [...new Set([...query, ...(body === undefined ? ["no body"] : typesIn(body))])];
}

function typesIn(value: unknown, path = ""): string[] {
  const type = `${path || "body"}: ${typeOf(value, path)}`;
  if (typeof value !== "object" || value === null) return [type];
  if (FREE_FORM.test(path)) return [type];
  if (path === "metadata") return [type, ...Object.values(value).map((item) => `metadata.*: ${typeOf(item, path)}`)];
  const nested = Object.entries(value).flatMap(([key, item]) => typesIn(item, join(path, nameOf(key, path, value))));
  return [type, ...nested];
}

function typeOf(value: unknown, path: string): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "empty array" : "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  if (typeof value === "string" && isWordField(path) && WORDS.has(value)) return JSON.stringify(value);
  return typeof value;
}

function nameOf(key: string, path: string, parent: object): string {
  if (Array.isArray(parent)) return "0";
  return path === "config" && !CONFIG_KEY.test(key) ? "*" : key;
}

const join = (path: string, key: string) => (path === "" ? key : `${path}.${key}`);

/** What published servers accepted, by route. */
export type Accepted = ReadonlyMap<string, ReadonlySet<string>>;

export function readAccepted(recordings: readonly Recording[] = readRecordings()): Accepted {
  const accepted = new Map<string, Set<string>>();
  for (const { request, response } of recordings.flatMap(({ exchanges }) => exchanges)) {
    if (response.status !== 200 && response.status !== 204) continue;
    const route = routeOf(request);
    const parameters = accepted.get(route) ?? new Set();
    for (const parameter of parametersOf(request)) parameters.add(parameter);
    accepted.set(route, parameters);
  }
  return accepted;
}

/** Returns what no published server accepted: routes, and parameters such as `PATCH /threads/* ttl: null`. */
export function findUnrecorded(requests: readonly AgentRequest[], accepted: Accepted): string[] {
  const missing = requests.flatMap((request) => {
    const route = routeOf(request);
    const parameters = accepted.get(route);
    if (parameters === undefined) return [route];
    return parametersOf(request).flatMap((parameter) => (parameters.has(parameter) ? [] : [`${route} ${parameter}`]));
  });
  return [...new Set(missing)].sort();
}
