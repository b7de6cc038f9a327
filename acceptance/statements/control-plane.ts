/** Facts of docs/platform-api/control-plane.md. */
import { describe, ok } from "../target/http.ts";
import {
  type Check,
  controlPlaneOf,
  fields,
  given,
  isList,
  isObject,
  isText,
  isTime,
  isUuid,
  DEPLOYMENTS as LIST,
  liveOf,
  NotSeen,
  namesIn,
  type Subject,
  tracingOf,
  verdict,
} from "./check.ts";

const pathOf = (subject: Subject) => `${LIST}/${liveOf(subject).id}`;
const STATUSES = ["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "UNKNOWN"];
const lower = (value: unknown) => String(value).toLowerCase();

/** An invalid query must be rejected. */
const rejects = (id: string, query: string): Check => ({
  id,
  check: async (subject) => {
    const reply = await controlPlaneOf(subject).get(`${LIST}?${query}`);
    return verdict(reply.status === 422, reply);
  },
});

const lists: Check[] = [
  {
    id: "4A.GET /v2/deployments",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get(LIST);
      return verdict(reply.status === 200 && isList(reply.body.resources), reply);
    },
  },
  {
    id: "2A.DeploymentsList.offset",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get(`${LIST}?limit=1`);
      return verdict(typeof reply.body.offset === "number", `offset is ${JSON.stringify(reply.body.offset)}`);
    },
  },
  rejects("4A.GET /v2/deployments.limit", "limit=101"),
  rejects("4A.GET /v2/deployments.offset", "offset=-1"),
  rejects("7.422", "limit=0"),
  {
    id: "2A.HTTPValidationError.detail",
    check: async (subject) => {
      const { status, body } = await controlPlaneOf(subject).get(`${LIST}?limit=0`);
      if (status !== 422) throw new NotSeen("the server accepts an invalid query");
      const [first] = body?.detail ?? [];
      return verdict(
        isList(first?.loc) && isText(first?.msg) && isText(first?.type),
        JSON.stringify(body).slice(0, 200),
      );
    },
  },
  {
    id: "4A.GET /v2/deployments.deployment_ids",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get(`${LIST}?deployment_ids=${liveOf(subject).id}`);
      return verdict(namesIn(reply.body).join() === liveOf(subject).name, reply);
    },
  },
  {
    id: "10A.name-filter",
    check: async (subject) => {
      const part = liveOf(subject).name.slice(0, -2);
      const reply = await controlPlaneOf(subject).get(`${LIST}?name_contains=${part}&limit=100`);
      return verdict(namesIn(reply.body).includes(liveOf(subject).name), reply);
    },
  },
  {
    id: "4.list-end",
    check: async (subject) => {
      const first = await controlPlaneOf(subject).get(`${LIST}?limit=100`);
      const beyond = await controlPlaneOf(subject).get(`${LIST}?limit=100&offset=100000`);
      const known = namesIn(first.body);
      return verdict(ok(beyond) && namesIn(beyond.body).every((name) => known.includes(name)), beyond);
    },
  },
];

const objects: Check[] = [
  {
    id: "1A.1",
    check: async ({ deployment }) => {
      const { body } = given(deployment, "deployment").created;
      return verdict(
        isUuid(body.id) && isUuid(body.latest_revision_id),
        `the IDs ${body.id}, ${body.latest_revision_id}`,
      );
    },
  },
  ...fields("2A.Deployment", liveOf, {
    ...{ name: isText, source: isText, source_config: isObject, source_revision_config: isObject, secrets: isList },
    ...{ id: isUuid, tenant_id: isUuid, created_at: isTime, updated_at: isTime },
    ...{ latest_revision_id: isUuid, active_revision_id: isUuid, status: (value) => STATUSES.includes(String(value)) },
  }),
  {
    id: "2.ids",
    check: async (subject) => verdict(/^[\w.~:@+=-]+$/.test(liveOf(subject).id), `the ID ${liveOf(subject).id}`),
  },
  {
    id: "4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get(
        `${pathOf(subject)}/revisions/${liveOf(subject).latest_revision_id}`,
      );
      return verdict(isText(reply.body.id) && isText(reply.body.status), reply);
    },
  },
  {
    id: "10A.live",
    check: async (subject) => {
      const { active_revision_id: active } = liveOf(subject);
      const { body } = await controlPlaneOf(subject).get(`${pathOf(subject)}/revisions/${active}`);
      return verdict(body.status === "DEPLOYED", `the active revision is ${body.status}`);
    },
  },
  {
    id: "10A.derived",
    check: async (subject) => {
      const { cpu, cpu_limit: limit } = liveOf(subject).source_config.resource_spec ?? {};
      if (limit === undefined || limit === null) throw new NotSeen("the server returns no derived limit");
      return verdict(limit === 2 * cpu, `cpu_limit is ${limit} for cpu ${cpu}`);
    },
  },
  {
    id: "10A.marker",
    check: async (subject) => {
      const secrets: { name: string; value: string }[] = liveOf(subject).secrets;
      const value = secrets.find(({ name }) => name === "PULUMI_RESOURCE")?.value;
      return verdict(value === subject.marker, value === undefined ? "the secret is not returned" : "another value");
    },
  },
  {
    id: "10A.masked",
    check: async (subject) => {
      const secrets: { name: string; value?: string | null }[] = liveOf(subject).secrets;
      const value = secrets.find(({ name }) => name === "PULUMI_RESOURCE")?.value ?? "";
      if (value === subject.marker) throw new NotSeen("the server returns values in plain text");
      return verdict(/^[*•]*$/.test(value), "a value that was not sent");
    },
  },
  {
    id: "10A.spelling",
    check: async (subject) => {
      const { name, source, source_revision_config: config } = liveOf(subject);
      const [sent, returned] = [
        [subject.name, "external_docker", subject.image],
        [name, source, config.image_uri],
      ];
      return verdict(lower(returned) === lower(sent), `${returned} in place of ${sent}`);
    },
  },
  {
    id: "10A.agent-url",
    check: async (subject) => {
      const { custom_url: url } = liveOf(subject).source_config;
      if (!url && liveOf(subject).url) throw new NotSeen("the server shows the URL in another field");
      if (!url) return "custom_url is empty when the revision is live";
      const reply = await given(subject.agentServer, "agent server").post("/threads/search", { limit: 1 });
      return verdict(ok(reply) && isList(reply.body), reply);
    },
  },
  {
    id: "10A.project",
    check: async (subject) => {
      const { name } = liveOf(subject);
      const reply = await tracingOf(subject).get(`/api/v1/sessions?name=${name}`);
      if (!ok(reply)) throw new NotSeen(`the server does not list projects (${reply.status})`);
      return verdict(reply.body?.[0]?.name === name, reply);
    },
  },
  {
    id: "4C.GET /api/v1/sessions",
    check: async (subject) => {
      const reply = await tracingOf(subject).get(`/api/v1/sessions?name=${liveOf(subject).name}&limit=2`);
      if (!ok(reply)) throw new NotSeen(`the server does not list projects (${reply.status})`);
      return verdict(isList(reply.body) && reply.body.every(({ name }) => name === liveOf(subject).name), reply);
    },
  },
];

/** Changes that create no revision, one of them at a time. */
const changes: Check[] = [
  ...(
    [
      ["3.1:null", { source_revision_config: { image_uri: null } }],
      ["10A.image-version", { image_version: "acceptance" }],
    ] as const
  ).map(([id, change]) => ({
    id,
    check: async (subject: Subject) => {
      const reply = await controlPlaneOf(subject).patch(pathOf(subject), change);
      if (!ok(reply)) return describe(reply);
      const { body } = await controlPlaneOf(subject).get(pathOf(subject));
      return verdict(lower(body.latest_revision_id) === lower(liveOf(subject).latest_revision_id), "a new revision");
    },
  })),
  {
    id: "10A.constraints",
    check: async (subject) => {
      const { source } = liveOf(subject);
      const body = { name: `${subject.name}_X`, source, source_config: {}, source_revision_config: {}, secrets: [] };
      const reply = await controlPlaneOf(subject).post(LIST, body);
      if (ok(reply)) await controlPlaneOf(subject).delete(`${LIST}/${reply.body.id}`);
      return verdict(!ok(reply), "a name with an underscore and a capital letter is accepted");
    },
  },
  {
    id: "10A.name-taken",
    check: async (subject) => {
      const { name, source } = liveOf(subject);
      const body = { name, source, source_config: { resource_spec: {} }, source_revision_config: {}, secrets: [] };
      const reply = await controlPlaneOf(subject).post(LIST, body);
      return verdict(!ok(reply), "a second deployment of the same name");
    },
  },
];

export const controlPlane: readonly Check[] = [...lists, ...objects, ...changes];
