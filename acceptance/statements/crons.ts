/**
 * Facts of docs/platform-api/assistants.md about crons. All crons of the checks are disabled, so that they start no
 * run.
 */
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
  type Subject,
  verdict,
} from "./check.ts";

const cronOf = ({ cron }: Subject) => given(cron, "cron").body;
const pathOf = (subject: Subject) => `/runs/crons/${cronOf(subject).cron_id}`;

/** Creates a disabled cron like that of the run for a check, and deletes it afterwards. */
async function withCron<T>(
  subject: Subject,
  body: { metadata?: object },
  use: (created: Reply, path: string, api: Api) => Promise<T>,
): Promise<T> {
  const api = agentServerOf(subject);
  const like = cronBody(subject, cronOf(subject).assistant_id);
  const created = await api.post("/runs/crons", { ...like, metadata: { ...like.metadata, ...body.metadata } });
  if (!ok(created)) throw new Error(`The create returned ${describe(created)}`);
  const path = `/runs/crons/${created.body.cron_id}`;
  try {
    return await use(created, path, api);
  } finally {
    await api.delete(path);
  }
}

/** The body of the create of a cron that never starts a run. */
export function cronBody({ prefix, name }: Pick<Subject, "prefix" | "name">, assistant: string) {
  return {
    ...{ assistant_id: assistant, schedule: "0 5 1 1 *", enabled: false, input: { messages: [] } },
    metadata: marksOf({ prefix, name }),
  };
}

const objects: Check[] = [
  {
    id: "10B.cron-flag",
    check: async (subject) => {
      given(subject.assistant, "assistant");
      const reply = await agentServerOf(subject).get("/info");
      return verdict(reply.body?.flags?.crons === (subject.cron !== undefined), reply);
    },
  },
  ...fields("2B.Cron", cronOf, {
    ...{ cron_id: isUuid, assistant_id: isUuid, user_id: isText, schedule: isText, next_run_date: isTime },
    ...{ metadata: isObject, payload: isObject, enabled: (value: unknown) => value === false },
    ...{ thread_id: (value) => value === null, end_time: (value) => value === null },
    ...{ timezone: (value) => value === null || isText(value), on_run_completed: (value) => value === "delete" },
  }),
  {
    id: "4B.POST /runs/crons",
    check: async (subject) =>
      withCron(subject, {}, async (first) =>
        withCron(subject, {}, async (second) =>
          verdict(first.body.cron_id !== second.body.cron_id, "the same cron for two requests"),
        ),
      ),
  },
  {
    id: "4B.GET /runs/crons/{cron_id}",
    check: async (subject) => {
      const reply = await agentServerOf(subject).get(pathOf(subject));
      return verdict(reply.body?.cron_id === cronOf(subject).cron_id, reply);
    },
  },
  {
    id: "4B.DELETE /runs/crons/{cron_id}",
    check: async (subject) =>
      withCron(subject, {}, async (_created, path, api) => {
        const deleted = await api.delete(path);
        return ok(deleted) ? verdict((await api.get(path)).status === 404, "it still exists") : verdict(false, deleted);
      }),
  },
];

const changes: Check[] = [
  {
    id: "2B.Cron.schedule:refused",
    check: async (subject) => {
      const body = { ...cronBody(subject, cronOf(subject).assistant_id), schedule: "0 5 * *" };
      const reply = await agentServerOf(subject).post("/runs/crons", body);
      if (ok(reply)) await agentServerOf(subject).delete(`/runs/crons/${reply.body.cron_id}`);
      return verdict(reply.status === 422, reply);
    },
  },
  {
    id: "2B.Cron.schedule:zone-change",
    check: async (subject) =>
      withCron(subject, {}, async ({ body }, path, api) => {
        const zone = { timezone: "America/New_York", schedule: body.schedule };
        const { next_run_date: next } = (await api.patch(path, zone)).body;
        const hours = (Date.parse(next) - Date.parse(body.next_run_date)) / 3_600_000;
        return verdict(hours === 5, `the next run moves by ${hours} hours`);
      }),
  },
  {
    id: "4B.PATCH /runs/crons/{cron_id}",
    check: async (subject) =>
      withCron(subject, {}, async (_created, path, api) => {
        const changed = await api.patch(path, { schedule: "30 6 1 1 *", metadata: { added: 1 } });
        const { schedule, metadata, enabled } = changed.body ?? {};
        const holds = schedule === "30 6 1 1 *" && metadata?.added === 1 && metadata.run && enabled === false;
        if (!holds) return verdict(false, changed);
        const empty = await api.patch(path, {});
        return verdict(empty.status === 400, empty);
      }),
  },
];

const lists: Check[] = [
  {
    id: "10B.cron-search",
    check: async (subject) =>
      withCron(subject, { metadata: { created: subject.name } }, async ({ body }, _path, api) => {
        const reply = await api.post("/runs/crons/search", { metadata: { created: subject.name }, limit: 10 });
        return verdict(isList(reply.body) && reply.body[0]?.cron_id === body.cron_id, reply);
      }),
  },
  {
    id: "4B.POST /runs/crons/search",
    check: async (subject) => {
      const { metadata, cron_id: id } = cronOf(subject);
      const reply = await agentServerOf(subject).post("/runs/crons/search", { metadata, limit: 100 });
      const found = isList(reply.body) ? (reply.body as { cron_id: string }[]) : [];
      return verdict(
        found.some((one) => one.cron_id === id),
        reply,
      );
    },
  },
  {
    id: "4B.POST /runs/crons/count",
    check: async (subject) => {
      const reply = await agentServerOf(subject).post("/runs/crons/count", { metadata: cronOf(subject).metadata });
      return verdict(reply.body === 1, reply);
    },
  },
];

export const crons: readonly Check[] = [...objects, ...changes, ...lists];
