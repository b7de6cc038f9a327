/** Facts of docs/platform-api/tracing.md. Every schedule begins in the year 2100, and is cancelled. */
import { type Api, describe, ok, type Reply } from "../target/http.ts";
import { type Check, given, isList, isText, NotSeen, type Subject, tracingOf, UNKNOWN_ID, verdict } from "./check.ts";

const EXPORTS = "/api/v1/bulk-exports";
const DESTINATIONS = `${EXPORTS}/destinations`;
const STATUSES = ["created", "running", "completed", "failed", "cancelled", "timedout", "intervalscheduled"];

const destinationOf = (subject: Subject) => given(subject.destination, "destination");
const scheduleBody = (subject: Subject, more: object = {}) => ({
  bulk_export_destination_id: destinationOf(subject).created.body.id,
  session_id: given(subject.project, "project"),
  ...{ start_time: "2100-01-01T00:00:00Z", interval_hours: 24, ...more },
});

/** The spelling of a value that the provider compares: without regard to case and a slash at the end. */
const sameSpelling = (value: unknown) => String(value).toLowerCase().replace(/\/+$/, "");

const cancel = (api: Api, id: string) => api.patch(`${EXPORTS}/${id}`, { status: "Cancelled" });

/** Creates a schedule for a check, and cancels it. */
async function withSchedule<T>(subject: Subject, use: (id: string, created: Reply) => Promise<T>): Promise<T> {
  const api = tracingOf(subject);
  const created = await api.post(EXPORTS, scheduleBody(subject));
  if (!ok(created)) throw new NotSeen(`a schedule was rejected: ${describe(created)}`);
  try {
    return await use(created.body.id, created);
  } finally {
    await cancel(api, created.body.id);
  }
}

/** An export that contradicts itself must be rejected. */
const rejects = (id: string, more: object): Check => ({
  id,
  check: async (subject) => {
    const reply = await tracingOf(subject).post(EXPORTS, scheduleBody(subject, more));
    if (ok(reply)) await cancel(tracingOf(subject), reply.body.id);
    return verdict(reply.status >= 400 && reply.status < 500, reply);
  },
});

export const tracing: readonly Check[] = [
  {
    id: "4C.POST /api/v1/bulk-exports/destinations",
    check: async (subject) => verdict(isText(destinationOf(subject).created.body.id), destinationOf(subject).created),
  },
  {
    id: "4C.POST /api/v1/bulk-exports/destinations:tested",
    check: async (subject) => {
      const { body } = destinationOf(subject);
      const credentials = { access_key_id: "wrong", secret_access_key: "wrong" };
      const reply = await tracingOf(subject).post(DESTINATIONS, { ...body, credentials });
      return verdict(!ok(reply), "a destination whose credentials do not work is saved");
    },
  },
  {
    id: "10C.tested",
    check: async (subject) => {
      const { body } = destinationOf(subject);
      const credentials = { access_key_id: "wrong", secret_access_key: "wrong" };
      const reply = await tracingOf(subject).post(DESTINATIONS, { ...body, credentials });
      return verdict(reply.status === 400, reply);
    },
  },
  {
    id: "10C.credentials-hidden",
    check: async (subject) => {
      const { body, created } = destinationOf(subject);
      const { secret_access_key: secret } = body.credentials as { secret_access_key: string };
      return verdict(!JSON.stringify(created.body).includes(secret), "the response contains the secret access key");
    },
  },
  {
    id: "10C.spelling",
    check: async (subject) => {
      const { body, created } = destinationOf(subject);
      const sent = Object.entries({ ...(body.config as object), destination_type: body.destination_type });
      const returned = { ...created.body.config, destination_type: created.body.destination_type };
      const shown = sent.filter(([key]) => returned[key] !== undefined && returned[key] !== null);
      if (shown.length === 0) throw new NotSeen("the server returns no value of a destination");
      const changed = shown.filter(([key, value]) => sameSpelling(returned[key]) !== sameSpelling(value));
      return verdict(changed.length === 0, changed.map(([key]) => `${key} is ${returned[key]}`).join(", "));
    },
  },
  {
    id: "10C.lists",
    check: async (subject) => {
      const reply = await tracingOf(subject).get(DESTINATIONS);
      if ([404, 405, 501].includes(reply.status))
        throw new NotSeen(`the server lists no destinations (${reply.status})`);
      const ids = isList(reply.body) ? (reply.body as { id: string }[]).map(({ id }) => id) : [];
      return verdict(ids.includes(destinationOf(subject).created.body.id), reply);
    },
  },
  {
    id: "4C.POST /api/v1/bulk-exports",
    check: async (subject) => withSchedule(subject, async (id, created) => verdict(isText(id), created)),
  },
  {
    id: "4C.GET /api/v1/bulk-exports/{export_id}",
    check: async (subject) =>
      withSchedule(subject, async (id) => {
        const reply = await tracingOf(subject).get(`${EXPORTS}/${id}`);
        return verdict(isText(reply.body?.status), reply);
      }),
  },
  {
    id: "4C.GET /api/v1/bulk-exports:pages",
    check: async (subject) =>
      withSchedule(subject, async () => {
        const pages = [0, 1].map((offset) => tracingOf(subject).get(`${EXPORTS}?limit=1&offset=${offset}`));
        const [first, second] = await Promise.all(pages);
        if (!first || [404, 405, 501].includes(first.status)) throw new NotSeen("the server lists no exports");
        const ids = [first, second].flatMap((page) => (isList(page?.body) ? page.body : [{}, {}]).map(({ id }) => id));
        return verdict(ids.length <= 2 && new Set(ids).size === ids.length, first);
      }),
  },
  {
    id: "10C.schedule-rest",
    check: async (subject) =>
      withSchedule(subject, async (id) => {
        const { body } = await tracingOf(subject).get(`${EXPORTS}/${id}`);
        return verdict(String(body?.status).toLowerCase() === "intervalscheduled", `the status ${body?.status}`);
      }),
  },
  {
    id: "10C.ignored-fields",
    check: async (subject) => {
      const body = scheduleBody(subject, { export_fields: ["id"] });
      const reply = await tracingOf(subject).post(EXPORTS, body);
      if (!ok(reply)) return verdict(false, reply);
      await cancel(tracingOf(subject), reply.body.id);
      if (reply.body.export_fields) throw new NotSeen("the server knows export_fields");
      return true;
    },
  },
  {
    id: "10C.casing",
    check: async (subject) =>
      withSchedule(subject, async (id) => {
        const { body } = await tracingOf(subject).get(`${EXPORTS}/${id}`);
        return verdict(STATUSES.includes(String(body.status).toLowerCase()), `the status ${body.status}`);
      }),
  },
  {
    id: "10C.cancel",
    check: async (subject) =>
      withSchedule(subject, async (id) => {
        const reply = await cancel(tracingOf(subject), id);
        if ([404, 405, 501].includes(reply.status))
          throw new NotSeen(`the server cancels no exports (${reply.status})`);
        const { body } = await tracingOf(subject).get(`${EXPORTS}/${id}`);
        return verdict(String(body.status).toLowerCase() === "cancelled", `the status ${body.status}`);
      }),
  },
  {
    id: "10C.destination-in-use",
    check: async (subject) =>
      withSchedule(subject, async () => {
        const path = `${DESTINATIONS}/${destinationOf(subject).created.body.id}`;
        const reply = await tracingOf(subject).delete(path);
        if ([404, 405, 501].includes(reply.status))
          throw new NotSeen(`the server deletes no destinations (${reply.status})`);
        return verdict(!ok(reply), "it is deleted");
      }),
  },
  rejects("4C.1", { all_experiments: true }),
  rejects("4C.2", { end_time: "2100-02-01T00:00:00Z" }),
  rejects("8.interval_hours", { interval_hours: 169 }),
  rejects("2C.Filter:invalid", { filter: "and(" }),
  {
    id: "10C.workspace",
    check: async (subject) => {
      const reply = await tracingOf(subject).get(`${EXPORTS}/${UNKNOWN_ID}`);
      return verdict(reply.status === 404, reply);
    },
  },
];
