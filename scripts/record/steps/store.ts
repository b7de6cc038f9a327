/** Items that graphs and clients store besides threads. */
import { step } from "./step.ts";

const put = "4B.PUT /store/items";
const get = "4B.GET /store/items";
const search = "4B.POST /store/items/search";
const namespaces = "4B.POST /store/namespaces";
const remove = "4B.DELETE /store/items";
const one = { namespace: ["users", "1"], key: "k/\u00e9" };
const putStep = (name: string, body: object, facts = put) => step(`store-${name}`, "PUT /store/items", facts, { body });
const searchStep = (name: string, body: object) =>
  step(`store-search-${name}`, "POST /store/items/search", search, { body });
const namespaceStep = (name: string, body: object) =>
  step(`store-namespaces-${name}`, "POST /store/namespaces", namespaces, { body });

export const storeSteps = [
  putStep("put", { ...one, value: { a: 1 } }),
  putStep("put-second", { namespace: ["users", "2"], key: "", value: { b: [1, null] } }),
  putStep("put-third", { namespace: ["other"], key: "t", value: { a: 2 }, ttl: 10, index: ["a"] }),
  putStep("put-again", { ...one, value: { a: 2 } }),
  putStep("put-no-namespace", { namespace: [], key: "x", value: {} }, `${put}:invalid`),
  putStep("put-period", { namespace: ["a.b"], key: "x", value: {} }, `${put}:invalid`),
  putStep("put-empty-label", { namespace: [""], key: "x", value: {} }, `${put}:invalid`),
  putStep("put-number", { namespace: ["users"], key: "x", value: 3 }, `${put}:invalid`),
  putStep("put-no-key", { namespace: ["users"], value: {} }, `${put}:invalid`),
  searchStep("all", { namespace_prefix: [], refresh_ttl: false, limit: 1000 }),
  searchStep("page", { namespace_prefix: [], limit: 1, offset: 1 }),
  searchStep("prefix", { namespace_prefix: ["users"], limit: 2000 }),
  searchStep("part-of-label", { namespace_prefix: ["use"] }),
  searchStep("filter", { namespace_prefix: [], filter: { a: 2 } }),
  step("store-get", "GET /store/items?namespace=users.1&key=k%2F%C3%A9", get),
  step("store-get-none", "GET /store/items?namespace=users.1&key=none", get),
  namespaceStep("depth", { prefix: ["users"], max_depth: 1 }),
  namespaceStep("prefix", { prefix: ["users"] }),
  step("store-delete", "DELETE /store/items", remove, { body: one }),
  step("store-delete-again", "DELETE /store/items", remove, { body: one }),
  step("store-get-deleted", "GET /store/items?namespace=users.1&key=k%2F%C3%A9", get),
];
