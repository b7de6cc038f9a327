/** Facts of docs/platform-api/agent-server.md. */
import { randomUUID } from "node:crypto";
import { type Api, ok, type Reply } from "../target/http.ts";
import {
  agentServerOf,
  type Check,
  fields,
  given,
  isList,
  isObject,
  isText,
  isTime,
  isUuid,
  marksOf,
  NotSeen,
  type Subject,
  verdict,
} from "./check.ts";

const threadOf = ({ thread }: Subject) => given(thread, "thread").body;
const pathOf = (subject: Subject) => `/threads/${threadOf(subject).thread_id}`;
export const lower = (value: unknown) => String(value).toLowerCase();
const idsOf = ({ body }: Reply) =>
  isList(body) ? (body as { thread_id: string }[]).map((one) => lower(one.thread_id)) : [];
export const VALUES = { messages: [{ role: "user", content: "a statement" }] };

/** Creates a thread for a check, and deletes it afterwards where the server can. */
export async function withThread<T>(api: Api, body: object, use: (created: Reply) => Promise<T>): Promise<T> {
  const created = await api.post("/threads", body);
  try {
    return await use(created);
  } finally {
    if (created.body?.thread_id) await api.delete(`/threads/${created.body.thread_id}`);
  }
}

/** Creates a thread with a state. */
export function withState<T>(subject: Subject, use: (created: Reply) => Promise<T>): Promise<T> {
  const graph = given(subject.graph, "graph");
  const supersteps = [{ updates: [{ as_node: "__start__", values: VALUES }] }];
  return withThread(agentServerOf(subject), { metadata: { graph_id: graph, ...marksOf(subject) }, supersteps }, use);
}
const hasState = (value: unknown) => JSON.stringify(value ?? {}).includes("a statement");

const search = async (subject: Subject, body: object) => agentServerOf(subject).post("/threads/search", body);

const threads: Check[] = [
  {
    id: "4B.POST /threads:empty",
    check: async (subject) =>
      withThread(agentServerOf(subject), {}, async (reply) =>
        verdict(ok(reply) && isUuid(reply.body.thread_id), reply),
      ),
  },
  ...fields("2B.Thread", threadOf, {
    ...{ thread_id: isUuid, created_at: isTime, updated_at: isTime, metadata: isObject },
    status: (value) => ["idle", "busy", "interrupted", "error"].includes(String(value)),
  }),
  {
    id: "4B.GET /threads/{thread_id}",
    check: async (subject) => {
      const reply = await agentServerOf(subject).get(pathOf(subject));
      return verdict(lower(reply.body.thread_id) === lower(threadOf(subject).thread_id), reply);
    },
  },
  {
    id: "10B.metadata-stored",
    check: async (subject) => {
      const reply = await agentServerOf(subject).get(pathOf(subject));
      return verdict(reply.body.metadata?.run === subject.name, reply);
    },
  },
  {
    id: "10B.merge",
    check: async (subject) => {
      const changed = await agentServerOf(subject).patch(pathOf(subject), { metadata: { added: "later" } });
      if (!ok(changed)) throw new NotSeen(`the server does not update threads (${changed.status})`);
      const { body } = await agentServerOf(subject).get(pathOf(subject));
      const { added, run } = body.metadata;
      return verdict(added === "later" && run === subject.name, `the metadata ${JSON.stringify(body.metadata)}`);
    },
  },
  {
    id: "10B.client-ids",
    check: async (subject) => {
      const id = randomUUID();
      const body = { thread_id: id, if_exists: "do_nothing", metadata: marksOf(subject) };
      return withThread(agentServerOf(subject), body, async (first) => {
        if (!ok(first)) return verdict(false, first);
        if (lower(first.body.thread_id) !== id) return "the server chooses the ID";
        const again = await agentServerOf(subject).post("/threads", body);
        return verdict(ok(again) && lower(again.body.thread_id) === id, again);
      });
    },
  },
];

const searches: Check[] = [
  {
    id: "4B.POST /threads/search:metadata",
    check: async (subject) => {
      const reply = await search(subject, { metadata: marksOf(subject), limit: 100 });
      return verdict(idsOf(reply).includes(lower(threadOf(subject).thread_id)), reply);
    },
  },
  {
    id: "4B.POST /threads/search:limit",
    check: async (subject) => {
      const reply = await search(subject, { limit: 1 });
      return verdict(ok(reply) && idsOf(reply).length <= 1, reply);
    },
  },
  {
    id: "10B.search-ids",
    check: async (subject) => {
      const id = threadOf(subject).thread_id;
      const reply = await search(subject, { ids: [id], limit: 10 });
      if (!ok(reply)) return verdict(false, reply);
      return verdict(idsOf(reply).join() === lower(id), `${idsOf(reply).length} threads for the ID of one`);
    },
  },
  {
    id: "10B.search-offset",
    check: async (subject) => {
      const reply = await search(subject, { limit: 10, offset: 1_000_000 });
      if (!ok(reply)) return verdict(false, reply);
      return verdict(idsOf(reply).length === 0, "threads at an offset beyond the last one");
    },
  },
  {
    id: "10B.credentials",
    check: async (subject) => {
      const reply = await search(subject, { limit: 1 });
      return verdict(reply.status !== 401 && reply.status !== 403, reply);
    },
  },
];

const states: Check[] = [
  {
    id: "4B.POST /threads:state",
    check: async (subject) =>
      withState(subject, async (reply) => verdict(ok(reply) && hasState(reply.body.values), reply)),
  },
  {
    id: "10B.supersteps-kept",
    check: async (subject) =>
      withState(subject, async ({ body }) => {
        const reply = await agentServerOf(subject).get(`/threads/${body.thread_id}/state`);
        return verdict(ok(reply) && hasState(reply.body.values), reply);
      }),
  },
  {
    id: "4B.POST /threads/{thread_id}/history",
    check: async (subject) =>
      withState(subject, async ({ body }) => {
        const reply = await agentServerOf(subject).post(`/threads/${body.thread_id}/history`, { limit: 10 });
        const [newest] = isList(reply.body) ? reply.body : [];
        return verdict(isText(newest?.checkpoint_id) && typeof newest?.metadata?.step === "number", reply);
      }),
  },
  {
    id: "10B.copy-values",
    check: async (subject) =>
      withState(subject, async ({ body }) => {
        const copy = await agentServerOf(subject).post(`/threads/${body.thread_id}/copy`, undefined);
        if (!ok(copy)) return verdict(false, copy);
        await agentServerOf(subject).delete(`/threads/${copy.body.thread_id}`);
        return verdict(copy.body.metadata?.run === subject.name, copy);
      }),
  },
];

/** How many fields of a copy are its own; the others say nothing of its request. */
const OWN_FIELDS = ["thread_id", "created_at", "updated_at", "state_updated_at"];
const without = (body: object, names: readonly string[]) =>
  JSON.stringify(Object.entries(body).filter(([name]) => !names.includes(name)));

const failures: Check[] = [
  {
    id: "2B.Superstep:failure",
    check: async (subject) => {
      const api = agentServerOf(subject);
      const metadata = { graph_id: given(subject.graph, "graph"), ...marksOf(subject), superstep: "of no node" };
      const supersteps = [{ updates: [{ as_node: "a-node-that-no-graph-has", values: VALUES }] }];
      return withThread(api, { metadata, supersteps }, async (created) => {
        if (created.body?.thread_id && ok(created)) return "a superstep of an unknown node is accepted";
        const { body } = await search(subject, { metadata, limit: 10 });
        const left: { thread_id: string; values?: unknown }[] = isList(body) ? body : [];
        for (const one of left) await api.delete(`/threads/${one.thread_id}`);
        return verdict(!left.some(({ values }) => hasState(values)), "it leaves a thread with the state");
      });
    },
  },
  {
    id: "10B.lost-copy",
    check: async (subject) => {
      const copies: Reply[] = [];
      for (let count = 0; count < 2; count++) {
        const copy = await agentServerOf(subject).post(`${pathOf(subject)}/copy`, undefined);
        if (!ok(copy)) throw new NotSeen(`the server copies no threads (${copy.status})`);
        copies.push(copy);
      }
      for (const { body } of copies) await agentServerOf(subject).delete(`/threads/${body.thread_id}`);
      // A server may repeat the ID of a copy in its metadata.
      const [one, other] = copies.map(({ body }) => without(body, OWN_FIELDS).replaceAll(body.thread_id, "ID"));
      return verdict(one === other, `two copies differ: ${one} and ${other}`);
    },
  },
];

const health: Check[] = [
  {
    id: "10B.ready",
    check: async (subject) => {
      const reply = await agentServerOf(subject).get("/ok");
      return verdict(ok(reply) || reply.status === 404, reply);
    },
  },
  {
    id: "10A.health",
    check: async (subject) => {
      const reply = await agentServerOf(subject).anonymous().get("/ok");
      if (reply.status === 404) throw new NotSeen("the server has no route /ok");
      return verdict(ok(reply), reply);
    },
  },
];

export const agentServer: readonly Check[] = [...threads, ...searches, ...states, ...failures, ...health];
