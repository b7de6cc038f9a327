import type { Context } from "../../runtime/context";
import { isObject } from "../../runtime/validation/validator";
import { traitsOf } from "../server-traits";

type Json = Record<string, unknown>;
type TraitContext = Pick<Context, "settings" | "vocabulary">;

/** Metadata keys that the server sets itself. */
const reservedMetadata = ["assistant_id", "thread_id", "run_id", "cron_id", "counters_since_delta_snapshot"];

/** Configuration keys that the server sets itself. It keeps others, also with two underscores. */
const reservedConfiguration = [
  "agentgraph_auth_user",
  "agentgraph_auth_user_id",
  "agentgraph_auth_permissions",
  "agentgraph_request_id",
  "__request_start_time_ms__",
  "__after_seconds__",
  "__otel_traceparent__",
  "__otel_tracestate__",
  "__context_provided__",
];

/** Returns metadata without the reserved keys, and with readable NUL characters. */
export function cleanMetadata(context: TraitContext, metadata: Json): Json {
  if (!traitsOf(context).removesReserved) return metadata;
  return withoutNul(omit(metadata, (key) => reservedMetadata.includes(key))) as Json;
}

/** Returns `context` or `config.configurable` without the reserved keys. */
export function cleanConfiguration(context: TraitContext, values: unknown): unknown {
  if (!isObject(values) || !traitsOf(context).removesReserved) return values;
  const names = reservedConfiguration.map((name) => context.vocabulary.fieldName(name));
  return omit(values, (key) => names.includes(key));
}

/** Does the same within a `config`. */
export function cleanConfig(context: TraitContext, config: Json): Json {
  if (!("configurable" in config)) return config;
  return { ...config, configurable: cleanConfiguration(context, config.configurable) };
}

function omit(values: Json, isReserved: (key: string) => boolean): Json {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !isReserved(key)));
}

/** Returns the input of a cron with readable NUL characters. */
export function cleanInput(context: TraitContext, input: unknown): unknown {
  return traitsOf(context).removesReserved ? withoutNul(input) : input;
}

function withoutNul(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\ufffd");
  if (Array.isArray(value)) return value.map(withoutNul);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [withoutNul(key), withoutNul(item)]));
}
