import type { Route } from "../../http/route";
import { nullable } from "../../runtime/validation/schema";
import { agentRoute } from "../requests/agent-route";
import { agentHandler } from "../requests/auth";
import { deleteItem, getItem, putItem, searchItems, searchNamespaces } from "./items";
import * as schemas from "./schemas";

const items = "/store/items";

/** Stored items, which the interface does not contain. */
export const storeRoutes: readonly Route[] = [
  agentRoute({
    method: "PUT",
    path: items,
    name: "store-put",
    isDescribed: false,
    summary: "Store an item",
    body: schemas.putBody,
    success: { status: 204, description: "The item is stored" },
    errors: [400],
    handle: agentHandler(putItem),
  }),
  agentRoute({
    method: "GET",
    path: items,
    name: "store-get",
    isDescribed: false,
    summary: "Retrieve a stored item",
    query: schemas.itemQuery,
    success: { status: 200, schema: nullable(schemas.item), description: "The item, or null" },
    handle: agentHandler(getItem),
  }),
  agentRoute({
    method: "DELETE",
    path: items,
    name: "store-delete",
    isDescribed: false,
    summary: "Delete a stored item",
    body: schemas.deleteBody,
    success: { status: 204, description: "There is no such item" },
    handle: agentHandler(deleteItem),
  }),
  agentRoute({
    method: "POST",
    path: `${items}/search`,
    name: "store-search",
    isDescribed: false,
    summary: "Search stored items",
    body: schemas.searchBody,
    success: { status: 200, schema: schemas.found, description: "The items whose namespace has the prefix" },
    handle: agentHandler(searchItems),
  }),
  agentRoute({
    method: "POST",
    path: "/store/namespaces",
    name: "store-namespaces",
    isDescribed: false,
    summary: "Search namespaces of stored items",
    body: schemas.namespacesBody,
    success: { status: 200, schema: schemas.namespaces, description: "The namespaces" },
    handle: agentHandler(searchNamespaces),
  }),
];
