/** What a server holds that carries a text in its name: the deployments, destinations and exports of runs. */
import { type Api, ok } from "../target/http.ts";
import type { Server } from "../target/server.ts";
import { findOnAgentServer } from "./agents.ts";
import { listDeployments } from "./deployments.ts";
import type { Leftover, Removal } from "./leftover.ts";
import { listIn } from "./list.ts";

/** Exports that no longer run. Servers write them in their own case. */
const ENDED = ["completed", "failed", "cancelled", "timedout"];

/** @property problems What could not be listed: something may be left there. */
export interface Leftovers {
  found: Leftover[];
  problems: string[];
}

/** Lists everything whose name begins with a text. */
export async function findLeftovers(server: Server, prefix: string, agentUrl?: string): Promise<Leftovers> {
  const { controlPlane, tracing } = server;
  // What the agent server of a deployment stores is deleted with it.
  const lists = await Promise.allSettled([
    agentUrl ? findOnAgentServer(server.agentServer(agentUrl), prefix) : [],
    tracing ? findExports(tracing, prefix) : [],
    controlPlane ? findDeployments(controlPlane, prefix) : [],
  ]);
  return {
    found: lists.flatMap((list) => (list.status === "fulfilled" ? list.value : [])),
    problems: lists.flatMap((list) => (list.status === "rejected" ? (list.reason as Error).message : [])),
  };
}

async function findDeployments(api: Api, prefix: string): Promise<Leftover[]> {
  const found = await listDeployments(api, prefix);
  return found
    .filter(({ name, status }) => name.startsWith(prefix) && !/delete/i.test(status ?? ""))
    .map(({ id, name }) => ({
      ...{ kind: "deployment" as const, id, name },
      remove: () => removeAt(api, "DELETE", `/v2/deployments/${id}`),
    }));
}

/** Exports have no name: they belong to a destination. Each is stopped before its destination is removed. */
async function findExports(api: Api, prefix: string): Promise<Leftover[]> {
  const path = "/api/v1/bulk-exports/destinations";
  const listed = await api.get(path);
  // A tracing API without exports has projects at least, and one that rejects the method is one.
  const isMissing = listed.status === 404 && Array.isArray((await api.get("/api/v1/sessions?limit=1")).body);
  if (isMissing || [405, 501].includes(listed.status)) return [];
  const destinations = listIn<{ id: string; display_name: string }>(api, path, listed);
  const ours = destinations.filter(({ display_name: name }) => name?.startsWith(prefix));
  if (ours.length === 0) return [];
  const all = "/api/v1/bulk-exports";
  type Listed = { id: string; status: string; bulk_export_destination_id: string };
  const exports = listIn<Listed>(api, all, await api.get(all));
  const running = exports.flatMap(({ id, status, bulk_export_destination_id: destination }) => {
    const owner = ours.find((one) => one.id === destination);
    if (!owner || ENDED.includes(status.toLowerCase())) return [];
    const remove = () => removeAt(api, "PATCH", `/api/v1/bulk-exports/${id}`, { status: "Cancelled" });
    return [{ kind: "export" as const, id, name: owner.display_name, remove }];
  });
  // A destination that an export refers to cannot be deleted, and needs no clean-up: it holds nothing.
  const unused = ours.filter(({ id }) => !exports.some((one) => one.bulk_export_destination_id === id));
  return [
    ...running,
    ...unused.map(({ id, display_name: name }) => ({
      ...{ kind: "destination" as const, id, name },
      remove: () => removeAt(api, "DELETE", `/api/v1/bulk-exports/destinations/${id}`),
    })),
  ];
}

/** Deletes or cancels an object. A server that lacks the route still shows the object. */
async function removeAt(api: Api, method: string, path: string, body?: object): Promise<Removal> {
  const reply = await api.send(method, path, body);
  if (ok(reply)) return "removed";
  if (![404, 405, 501].includes(reply.status)) return "failed";
  return ok(await api.get(path)) ? "unsupported" : "removed";
}
