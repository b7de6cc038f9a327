/**
 * What a request for a thread that exists changes: nothing if it is refused, and its time to live if the server allows
 * it.
 */
import { ok } from "../target/http.ts";
import { lower, VALUES, withState, withThread } from "./agent-server.ts";
import { agentServerOf, type Check, given, marksOf, NotSeen, verdict } from "./check.ts";

export const existingThreads: readonly Check[] = [
  {
    id: "4B.POST /threads:id",
    check: async (subject) =>
      withState(subject, async ({ body: { thread_id, metadata } }) => {
        const api = agentServerOf(subject);
        const statesOf = async () => (await api.post(`/threads/${thread_id}/history`, { limit: 100 })).body.length;
        const before = await statesOf();
        const supersteps = [{ updates: [{ as_node: "__start__", values: VALUES }] }];
        const graph_id = given(subject.graph, "graph");
        const body = { thread_id, if_exists: "raise", metadata: { graph_id, taken: "over" }, supersteps };
        const again = await api.post("/threads", body);
        if (ok(again) && lower(again.body.thread_id) !== lower(thread_id)) {
          await api.delete(`/threads/${again.body.thread_id}`);
          throw new NotSeen("the server chooses the ID");
        }
        if (ok(again)) return "a create with the ID of an existing thread is accepted";
        const found = await api.get(`/threads/${thread_id}`);
        const isSame = JSON.stringify(found.body.metadata) === JSON.stringify(metadata);
        return verdict(isSame && (await statesOf()) === before, "a refused create changes the thread that has the ID");
      }),
  },
  {
    id: "4B.PATCH /threads/{thread_id}:ttl",
    check: async (subject) => {
      const api = agentServerOf(subject);
      const ttl = (minutes: number) => ({ strategy: "delete", ttl: minutes });
      return withThread(api, { metadata: marksOf(subject), ttl: ttl(60) }, async (created) => {
        if (!ok(created)) return verdict(false, created);
        const path = `/threads/${created.body.thread_id}`;
        const changed = await api.patch(path, { metadata: {}, ttl: ttl(30) });
        if ([404, 405, 501].includes(changed.status)) throw new NotSeen("the server does not update threads");
        if (!ok(changed)) return verdict(false, changed);
        // A rejection must not have stored the metadata beside it.
        const removed = await api.patch(path, { metadata: { ttl: "removed" }, ttl: null });
        const { metadata } = (await api.get(path)).body;
        return verdict(ok(removed) === (metadata.ttl === "removed"), removed);
      });
    },
  },
];
