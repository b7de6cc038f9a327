/** What runs left on an agent server: its crons, assistants and threads. */
import { type Api, ok } from "../target/http.ts";
import type { Leftover, Removal } from "./leftover.ts";
import { type Found, searchRuns } from "./search.ts";

const WITHOUT_ROUTE = [400, 404, 405, 500, 501];

/** Finds everything on an agent server whose run begins with a text. */
export async function findOnAgentServer(api: Api, prefix: string): Promise<Leftover[]> {
  const find = async (kind: Leftover["kind"], route: string, field: "assistant_id" | "cron_id" | "thread_id") =>
    (await searchRuns(api, route, prefix)).map((one) => leftover(api, kind, `${route}/${one[field]}`, one));
  const assistants = await find("assistant", "/assistants", "assistant_id");
  const threads = await find("thread", "/threads", "thread_id");
  // Since it is an agent server, a rejection means that it has no crons. They are removed before their assistants.
  const { status } = await api.post("/runs/crons/search", { limit: 1 });
  const crons = WITHOUT_ROUTE.includes(status) ? [] : await find("cron", "/runs/crons", "cron_id");
  return [...crons, ...assistants, ...threads];
}

const leftover = (api: Api, kind: Leftover["kind"], path: string, { metadata }: Found): Leftover => ({
  ...{ kind, id: path.slice(path.lastIndexOf("/") + 1), name: metadata?.run ?? "" },
  remove: () => remove(api, path),
});

/** The server deletes a cron with its assistant. A server that lacks the route still shows the object. */
async function remove(api: Api, path: string): Promise<Removal> {
  const reply = await api.delete(path);
  if (ok(reply)) return "removed";
  if (![404, 405, 501].includes(reply.status)) return "failed";
  return ok(await api.get(path)) ? "unsupported" : "removed";
}
