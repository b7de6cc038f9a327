import { isPropertyMap, type PropertyMap } from "../../../provider/schema/schema";
import type { Platform } from "../platform";
import { type ProxiedRequest, startProxy } from "./proxy";

/** Which field has the ID of an object: a cron has those of others as well. */
const ID_FIELDS = ["cron_id", "thread_id", "assistant_id", "id"];
const idOf = (json: PropertyMap) => ID_FIELDS.map((field) => json[field]).find((id) => typeof id === "string");

/** A server of a newer version: it stores fields that the emulator does not know, and shows them. */
export interface Echo {
  url: string;
  /** The bodies of all changes, the last one last. */
  bodies: PropertyMap[];
  /** The fields that it shows in addition, by ID of the object. */
  stored: Map<unknown, PropertyMap>;
}

/**
 * @param fields Those that it knows and the emulator does not.
 * @param isShown Whether its responses contain one.
 */
export async function startEcho(
  platform: Platform,
  fields: PropertyMap,
  isShown: (key: string) => boolean = () => true,
): Promise<Echo> {
  const bodies: PropertyMap[] = [];
  const stored: Echo["stored"] = new Map();
  const rewrite = async ({ method, path, query, headers, body }: ProxiedRequest) => {
    const isChange = /^(POST|PATCH)$/.test(method) && !path.endsWith("/search") && isPropertyMap(body);
    const { rest, own } = isChange ? split(body, fields) : { rest: body, own: {} };
    if (isChange) bodies.push(body);
    const { host: _, "content-length": __, connection: ___, ...others } = headers as Record<string, string>;
    const forwarded = { "x-api-key": "echo", ...others };
    const text = rest === undefined ? {} : { body: JSON.stringify(rest) };
    const response = await fetch(`${platform.url}${path}?${query}`, { method, headers: forwarded, ...text });
    const answer = await response.text();
    const json: unknown = answer === "" ? undefined : JSON.parse(answer);
    if (response.ok && isPropertyMap(json) && Object.keys(own).length > 0) {
      const shown = Object.entries(own).filter(([key]) => isShown(key));
      stored.set(idOf(json), merged(stored.get(idOf(json)) ?? {}, Object.fromEntries(shown)));
    }
    const complete = (item: unknown) => (isPropertyMap(item) ? merged(item, stored.get(idOf(item)) ?? {}) : item);
    const list = isPropertyMap(json) ? json.resources : json;
    const items = Array.isArray(list) ? list.map(complete) : undefined;
    const whole = items && isPropertyMap(json) ? { ...json, resources: items } : (items ?? complete(json));
    return { status: response.status, ...(whole !== undefined && { body: whole }) };
  };
  return { url: await startProxy(platform.url, rewrite), bodies, stored };
}

/** Objects that the emulator knows. */
const KNOWN: ReadonlySet<string> = new Set(["source_config", "resource_spec", "config"]);

/** Divides a body into the fields that a server knows by itself and the rest. */
function split(body: PropertyMap, fields: PropertyMap): { rest: PropertyMap; own: PropertyMap } {
  const rest: PropertyMap = {};
  const own: PropertyMap = {};
  for (const [key, part] of Object.entries(body)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (KNOWN.has(key) && isPropertyMap(part) && isPropertyMap(field)) {
      const inner = split(part, field);
      rest[key] = inner.rest;
      if (Object.keys(inner.own).length > 0) own[key] = inner.own;
    } else (field === undefined ? rest : own)[key] = part;
  }
  return { rest, own };
}

/** Lists are replaced, objects merged. */
export function merged(left: PropertyMap, right: PropertyMap): PropertyMap {
  const parts = Object.entries(right).map(([key, part]) => {
    const own = left[key];
    return [key, isPropertyMap(own) && isPropertyMap(part) ? merged(own, part) : part];
  });
  return { ...left, ...Object.fromEntries(parts) };
}
