/** What graphs and clients store besides threads: items by namespace and key. */
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { limits } from "../../runtime/limits";
import type { Row } from "../../runtime/storage/store";
import type { Agent } from "../requests/auth";
import { formatTime } from "../server/server-traits";
import { matchesFilter } from "./filter";
import type { DeleteBody, ItemQuery, NamespacesBody, PutBody, SearchBody } from "./schemas";

/** Labels that the servers keep for themselves. */
const RESERVED = "langgraph";

/** PUT /store/items: creates or replaces an item. */
export function putItem({ store, clock }: Context, { deployment }: Agent, request: ApiRequest): ApiResponse {
  const { namespace, key, value, index } = request.body as PutBody;
  const isIndex = index == null || index === false || (Array.isArray(index) && index.every(isText));
  if (!isIndex) request.addIssue(["index"], "expected false or a list of strings");
  request.throwIfIssues();
  assertNamespace(namespace);
  const now = clock.isoNow();
  store.run(
    `INSERT INTO stored_items (deployment_id, namespace, key, value, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (deployment_id, namespace, key) DO UPDATE SET value = excluded.value,
     updated_at = excluded.updated_at`,
    ...[deployment.id, JSON.stringify(namespace), key, JSON.stringify(value), now, now],
  );
  return { status: 204 };
}

const isText = (value: unknown) => typeof value === "string";

function assertNamespace(namespace: readonly string[]): void {
  if (namespace.length === 0) throw new ApiError(400, "Namespace cannot be empty.");
  assertLabels(namespace);
  if (namespace[0] === RESERVED) throw new ApiError(400, `Root label for namespace cannot be "${RESERVED}".`);
}

function assertLabels(namespace: readonly string[]): void {
  const invalid = namespace.find((label) => label === "" || label.includes("."));
  if (invalid !== undefined)
    throw new ApiError(422, `Namespace label '${invalid}' must be a non-empty string without periods`);
}

/** GET /store/items: one item, or null. Labels of the namespace are separated by periods. */
export function getItem(context: Context, { deployment }: Agent, request: ApiRequest<ItemQuery>): ApiResponse {
  const { namespace = "", key } = request.query;
  if (key === undefined) throw new ApiError(400, "Key is required");
  assertLabels(namespace.split("."));
  const sql = "SELECT * FROM stored_items WHERE deployment_id = ? AND namespace = ? AND key = ?";
  const row = context.store.get(sql, deployment.id, JSON.stringify(namespace.split(".")), key);
  return { status: 200, body: row ? toItem(context, row) : null };
}

/** DELETE /store/items: also succeeds if there is none. */
export function deleteItem({ store }: Context, { deployment }: Agent, request: ApiRequest): ApiResponse {
  const { namespace, key } = request.body as DeleteBody;
  assertLabels(namespace);
  const sql = "DELETE FROM stored_items WHERE deployment_id = ? AND namespace = ? AND key = ?";
  store.run(sql, deployment.id, JSON.stringify(namespace), key);
  return { status: 204 };
}

/** POST /store/items/search: items whose namespace begins with the prefix, oldest first. */
export function searchItems(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { namespace_prefix: prefix, filter, limit, offset } = request.body as SearchBody;
  assertLabels(prefix);
  const isPython = context.settings.agentServer === "python";
  const all = itemsOf(context, agent).filter(
    ({ namespace, value }) => hasPrefix(namespace, prefix) && matchesFilter(value, filter ?? {}, isPython),
  );
  const items = all
    .slice(offset, offset + (limit || limits.threads.defaultLimit))
    .map((item) => ({ ...item, ...(isPython && { score: null }) }));
  return { status: 200, body: { items } };
}

/** POST /store/namespaces: sorted, without those that `max_depth` makes equal. */
export function searchNamespaces(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { prefix = [], suffix = [], max_depth: depth, limit, offset } = request.body as NamespacesBody;
  assertLabels([...prefix, ...suffix]);
  const matching = itemsOf(context, agent)
    .map(({ namespace }) => namespace)
    .filter((labels) => hasPrefix(labels, prefix, "*") && hasPrefix(labels.toReversed(), suffix.toReversed(), "*"))
    .map((labels) => JSON.stringify(labels.slice(0, depth)));
  const namespaces = [...new Set(matching)].sort().map((text) => JSON.parse(text) as string[]);
  return { status: 200, body: { namespaces: namespaces.slice(offset, offset + limit) } };
}

/** @param any A label that stands for any other. */
const hasPrefix = (labels: readonly string[], prefix: readonly string[], any?: string): boolean =>
  prefix.every((label, index) => labels[index] === label || (label === any && index < labels.length));

const itemsOf = (context: Context, { deployment }: Agent) =>
  context.store
    .all("SELECT * FROM stored_items WHERE deployment_id = ? ORDER BY seq", deployment.id)
    .map((row) => toItem(context, row));

function toItem(context: Context, { namespace, key, value, created_at, updated_at }: Row) {
  return {
    namespace: JSON.parse(String(namespace)) as string[],
    key: String(key),
    value: JSON.parse(String(value)) as unknown,
    created_at: formatTime(context, String(created_at)),
    updated_at: formatTime(context, String(updated_at)),
  };
}
