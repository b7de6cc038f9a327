/** Facts of docs/platform-api/assistants.md about assistants. */
import { createHash, randomUUID } from "node:crypto";
import { type Api, describe, ok, type Reply } from "../target/http.ts";
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

const assistantOf = ({ assistant }: Subject) => given(assistant, "assistant").body;
const pathOf = (subject: Subject) => `/assistants/${assistantOf(subject).assistant_id}`;
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Creates an assistant of the same graph for a check, and deletes it afterwards. */
async function withAssistant<T>(
  subject: Subject,
  body: { metadata?: object; [field: string]: unknown },
  use: (created: Reply, path: string, api: Api) => Promise<T>,
): Promise<T> {
  const api = agentServerOf(subject);
  const { graph_id } = assistantOf(subject);
  const metadata = { ...marksOf(subject), ...body.metadata };
  const created = await api.post("/assistants", { graph_id, ...body, metadata });
  if (!ok(created)) throw new Error(`The create returned ${describe(created)}`);
  const path = `/assistants/${created.body.assistant_id}`;
  try {
    return await use(created, path, api);
  } finally {
    await api.delete(path);
  }
}

const NAMESPACE = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** The ID of the default assistant of a graph: a UUID of version 5. */
export function defaultAssistantId(graph: string): string {
  const hash = createHash("sha1")
    .update(Buffer.from(NAMESPACE.replaceAll("-", ""), "hex"))
    .update(graph)
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const objects: Check[] = [
  ...fields("2B.Assistant", assistantOf, {
    ...{ assistant_id: isUuid, graph_id: isText, name: isText, created_at: isTime },
    ...{ config: isObject, context: isObject, version: (value: unknown) => value === 1 },
    description: (value) => value === null || isText(value),
  }),
  {
    id: "2B.Assistant.default",
    check: async (subject) => {
      const { graph_id: graph } = assistantOf(subject);
      const reply = await agentServerOf(subject).get(`/assistants/${defaultAssistantId(graph)}`);
      return verdict(reply.body?.graph_id === graph && reply.body.metadata?.created_by === "system", reply);
    },
  },
  {
    id: "4B.POST /assistants:exists",
    check: async (subject) => {
      const assistant_id = randomUUID();
      return withAssistant(subject, { assistant_id, name: "first" }, async ({ body }, _path, api) => {
        const again = { assistant_id, graph_id: body.graph_id, name: "second" };
        const kept = await api.post("/assistants", { ...again, if_exists: "do_nothing" });
        if (kept.body?.name !== "first" || kept.body.version !== 1) return verdict(false, kept);
        const refused = await api.post("/assistants", again);
        return verdict(refused.status === 409, refused);
      });
    },
  },
  {
    id: "4B.GET /assistants/{assistant_id}",
    check: async (subject) => {
      const reply = await agentServerOf(subject).get(pathOf(subject));
      return verdict(reply.body?.assistant_id === assistantOf(subject).assistant_id, reply);
    },
  },
  {
    id: "4B.DELETE /assistants/{assistant_id}",
    check: async (subject) =>
      withAssistant(subject, {}, async (_created, path, api) => {
        const deleted = await api.delete(path);
        return ok(deleted) ? verdict((await api.get(path)).status === 404, "it still exists") : verdict(false, deleted);
      }),
  },
];

const changes: Check[] = [
  {
    id: "4B.PATCH /assistants/{assistant_id}",
    check: async (subject) =>
      withAssistant(subject, { name: "unchanged" }, async (_created, path, api) => {
        const reply = await api.patch(path, { name: "unchanged" });
        return verdict(reply.body?.version === 2, `version ${reply.body?.version}`);
      }),
  },
  {
    id: "2B.Assistant.metadata",
    check: async (subject) =>
      withAssistant(subject, { metadata: { kept: 1, emptied: 1 } }, async (_created, path, api) => {
        const { metadata } = (await api.patch(path, { metadata: { emptied: null, added: { a: 1 } } })).body;
        const holds = metadata?.kept === 1 && metadata.emptied === null && metadata.added?.a === 1;
        return verdict(holds, `the metadata ${JSON.stringify(metadata)}`);
      }),
  },
  {
    id: "2B.Assistant.mirrors:context",
    check: async (subject) =>
      withAssistant(subject, { context: { old: 1 } }, async (_created, path, api) => {
        const sent = { context: { key: "value" }, config: { tags: ["one"], recursion_limit: 7 } };
        const { context, config } = (await api.patch(path, sent)).body;
        const holds = isSame(context, sent.context) && isSame(config.tags, ["one"]) && config.recursion_limit === 7;
        return verdict(holds, `the context ${JSON.stringify(context)} and the config ${JSON.stringify(config)}`);
      }),
  },
  {
    id: "2B.Assistant.mirrors:empty",
    check: async (subject) =>
      withAssistant(subject, { context: { key: "value" } }, async (_created, path, api) => {
        const { context, config } = (await api.patch(path, { context: {}, config: { configurable: {} } })).body;
        const holds = isSame(context, {}) && isSame(config.configurable ?? {}, {});
        return verdict(holds, `the context ${JSON.stringify(context)} and the config ${JSON.stringify(config)}`);
      }),
  },
];

const assumptions: Check[] = [
  {
    id: "10B.assistant-metadata",
    check: async (subject) => {
      const { metadata } = (await agentServerOf(subject).get(pathOf(subject))).body;
      const holds = metadata?.acceptance === subject.prefix && metadata.run === subject.name;
      return verdict(holds, `the metadata ${JSON.stringify(metadata)}`);
    },
  },
  {
    id: "10B.assistant-patch",
    check: async (subject) => {
      const config = { tags: ["one"], recursion_limit: 7 };
      return withAssistant(subject, { context: { key: 1 }, config, description: "kept" }, async (_, path, api) => {
        const { body } = await api.patch(path, { name: "another" });
        const holds = body.description === "kept" && body.context?.key === 1 && isSame(body.config.tags, ["one"]);
        return verdict(holds && body.config.recursion_limit === 7, `the config ${JSON.stringify(body.config)}`);
      });
    },
  },
];

const lists: Check[] = [
  {
    id: "4B.POST /assistants/search",
    check: async (subject) => {
      const { metadata, assistant_id: id } = assistantOf(subject);
      const reply = await agentServerOf(subject).post("/assistants/search", { metadata, limit: 100 });
      const found = isList(reply.body) ? (reply.body as { assistant_id: string }[]) : [];
      return verdict(
        found.some((one) => one.assistant_id === id),
        reply,
      );
    },
  },
  {
    id: "4B.POST /assistants/search:pages",
    check: async (subject) => {
      assistantOf(subject);
      const page = await agentServerOf(subject).post("/assistants/search", { limit: 1 });
      const end = await agentServerOf(subject).post("/assistants/search", { limit: 1000, offset: 1_000_000 });
      if (!ok(page) || page.body.length !== 1) return verdict(false, page);
      return verdict(ok(end) && end.body.length === 0, end);
    },
  },
  {
    id: "4B.POST /assistants/{assistant_id}/versions",
    check: async (subject) =>
      withAssistant(subject, {}, async (_created, path, api) => {
        await api.patch(path, { name: "second" });
        const reply = await api.post(`${path}/versions`, { limit: 100 });
        const numbers = isList(reply.body) ? (reply.body as { version: number }[]).map(({ version }) => version) : [];
        return verdict(numbers.join() === "2,1", numbers.length > 0 ? `the versions ${numbers}` : reply);
      }),
  },
  {
    id: "4B.POST /assistants/{assistant_id}/latest",
    check: async (subject) =>
      withAssistant(subject, { name: "first", context: { key: 1 } }, async (_created, path, api) => {
        await api.patch(path, { name: "second", context: { key: 2 }, config: {} });
        const reply = await api.post(`${path}/latest`, { version: 1 });
        const { name, version, context } = reply.body ?? {};
        const holds = name === "first" && version === 1 && context?.key === 2;
        return verdict(holds, `version ${version} with the name ${name} and the context ${JSON.stringify(context)}`);
      }),
  },
  {
    id: "4B.GET /assistants/{assistant_id}/schemas",
    check: async (subject) => {
      const reply = await agentServerOf(subject).get(`${pathOf(subject)}/schemas`);
      if (reply.status === 500) throw new NotSeen("the server cannot produce the schemas of this graph");
      return verdict(isObject(reply.body) && "graph_id" in reply.body, reply);
    },
  },
];

export const assistants: readonly Check[] = [...objects, ...changes, ...assumptions, ...lists];
