import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";

const namespace = v.list(v.string());
const page = {
  /** A search takes 0 for the default. */
  limit: v.withDefault(v.integer({ minimum: 0 }), limits.threads.defaultLimit),
  offset: v.withDefault(v.integer({ minimum: 0 }), 0),
};

export const item = v.object("StoredItem", {
  namespace: v.required(namespace),
  key: v.required(v.string()),
  value: v.required(v.anyObject()),
  created_at: v.required(v.datetime()),
  updated_at: v.required(v.datetime()),
});

export const putBody = v.object("StoredItemPut", {
  namespace: v.required(namespace),
  key: v.required(v.string()),
  value: v.required(v.anyObject()),
  /** False, or paths of values. Both are accepted without effect, as the stores in memory of published servers do. */
  index: v.any(),
  ttl: v.nullable(v.number()),
});
export type PutBody = v.Infer<typeof putBody>;

export const itemQuery = { namespace: v.string(), key: v.string(), refresh_ttl: v.boolean() };
export type ItemQuery = { namespace?: string; key?: string };

export const deleteBody = v.object("StoredItemDelete", {
  namespace: v.required(namespace),
  key: v.required(v.string()),
});
export type DeleteBody = v.Infer<typeof deleteBody>;

export const searchBody = v.object("StoredItemSearch", {
  namespace_prefix: v.required(namespace),
  /** What fields of values are, or operators such as `{"$gt": 9}`. */
  filter: v.nullable(v.anyObject()),
  query: v.nullable(v.string()),
  refresh_ttl: v.boolean(),
  ...page,
});
export type SearchBody = v.Infer<typeof searchBody>;
export const found = v.object("StoredItems", { items: v.required(v.list(v.anyObject())) });

export const namespacesBody = v.object("NamespaceSearch", {
  prefix: namespace,
  suffix: namespace,
  max_depth: v.integer({ minimum: 1 }),
  ...page,
  limit: v.withDefault(v.integer({ minimum: 0 }), limits.store.defaultNamespaces),
});
export type NamespacesBody = v.Infer<typeof namespacesBody>;
export const namespaces = v.object("Namespaces", { namespaces: v.required(v.list(namespace)) });
