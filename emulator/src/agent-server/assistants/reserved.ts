import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";
import { traitsOf } from "../server/server-traits";

type Json = Record<string, unknown>;
type TraitContext = Pick<Context, "settings" | "vocabulary">;

/** Metadata keys that the server sets itself. */
const reservedMetadata = ["assistant_id", "thread_id", "run_id", "cron_id", "counters_since_delta_snapshot"];

/** Keys of a configuration that the server sets itself. It keeps others, also with two underscores. */
const reservedConfiguration = [
  "agentgraph_auth_user",
  "agentgraph_auth_user_id",
  "agentgraph_auth_permissions",
  "agentgraph_request_id",
  "__langsmith_project__",
  "__langsmith_example_id__",
  "__request_start_time_ms__",
  "__after_seconds__",
  "__otel_traceparent__",
  "__otel_tracestate__",
  "__dd_trace_headers__",
  "__pregel_node_finished",
  "__context_provided__",
];

/** Returns metadata without the reserved keys, and with readable NUL characters. */
export function cleanMetadata(context: TraitContext, metadata: Json): Json {
  if (!traitsOf(context).removesReserved) return metadata;
  return readable(
    context,
    omit(metadata, (key) => reservedMetadata.includes(key)),
  );
}

/** Returns `context` or `config.configurable` without the reserved keys. */
export function cleanConfiguration(context: TraitContext, values: unknown): unknown {
  if (!isObject(values) || !traitsOf(context).removesReserved) return values;
  assertReadableKeys(values);
  const names = reservedConfiguration.map((name) => context.vocabulary.fieldName(name));
  return readable(
    context,
    omit(values, (key) => names.includes(key)),
  );
}

/** Does the same within a `config`, and in its metadata. */
export function cleanConfig(context: TraitContext, config: Json): Json {
  const { configurable, metadata, ...rest } = config;
  if (traitsOf(context).removesReserved) assertReadableKeys(rest);
  return {
    ...readable(context, rest),
    ...("configurable" in config && { configurable: cleanConfiguration(context, configurable) }),
    ...("metadata" in config && { metadata: isObject(metadata) ? cleanMetadata(context, metadata) : metadata }),
  };
}

/** @throws ApiError 422 for NUL in a key, which the server replaces in values only */
function assertReadableKeys(values: Json): void {
  const key = Object.keys(values).find((name) => /\0|\\[uU]0000/.test(name));
  if (key !== undefined) throw new ApiError(422, `The key ${JSON.stringify(key)} contains a NUL character`);
}

function omit(values: Json, isReserved: (key: string) => boolean): Json {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !isReserved(key)));
}

/**
 * Returns what a server in Python stores, which replaces the escape sequence of NUL, also where the text itself
 * contains it.
 */
export function readable<T>(context: TraitContext, value: T): T {
  return traitsOf(context).removesReserved ? (withoutNul(value) as T) : value;
}

function withoutNul(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\ufffd").replaceAll("\\u0000", "\\ufffd");
  if (Array.isArray(value)) return value.map(withoutNul);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [withoutNul(key), withoutNul(item)]));
}
