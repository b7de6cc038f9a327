/** Facts of docs/platform-api/control-plane.md that clients and pages of the platform report of deployments. */
import { describe, ok, type Reply } from "../target/http.ts";
import {
  type Check,
  controlPlaneOf,
  fields,
  given,
  isText,
  isUuid,
  DEPLOYMENTS as LIST,
  liveOf,
  NotSeen,
  namesIn,
  type Subject,
  tracingOf,
  UNKNOWN_ID,
  verdict,
} from "./check.ts";
import { emptyBody, remove, tryCreate } from "./probes.ts";

const pathOf = (subject: Subject) => `${LIST}/${liveOf(subject).id}`;
/** Returns the deployment of internal_docker. @throws NotSeen where the server creates none. */
export function emptyOf({ empty }: Subject) {
  const reply = given(empty, "deployment without content");
  permitted(ok(reply), reply);
  return reply.body;
}
const isRejected = ({ status }: Reply) => status === 400 || status === 422;

/** The server may do this. @throws NotSeen where it does not, which contradicts nothing. */
export function permitted(holds: boolean, otherwise: Reply | string): true {
  if (holds) return true;
  throw new NotSeen(typeof otherwise === "string" ? otherwise : `the server returned ${describe(otherwise)}`);
}

/** A create must be rejected because of a field, which the response names. */
const rejectsCreate = (id: string, suffix: string, field: RegExp, more: object): Check => ({
  id,
  check: async (subject) => {
    const reply = await tryCreate(subject, suffix, more);
    return verdict(isRejected(reply) && field.test(JSON.stringify(reply.body)), reply);
  },
});

/** Finds a deployment of the workspace. @throws NotSeen without one. */
const anyDeployment = (id: string, has: (body: Record<string, unknown>) => boolean, what: string): Check => ({
  id,
  check: async (subject) => {
    const { body } = await controlPlaneOf(subject).get(`${LIST}?limit=100`);
    return permitted((body.resources ?? []).some(has), `no deployment of the workspace ${what}`);
  },
});

const objects: Check[] = [
  anyDeployment("2A.Deployment.name:null", ({ name }) => name === null, "lacks a name"),
  anyDeployment("2A.Deployment.agent", ({ agent }) => agent != null, "runs an agent"),
  ...fields("2A.Deployment", liveOf, { url: isText, tracer_session_id: isUuid }),
  {
    id: "2A.Deployment.further",
    check: async (subject) => {
      const known = ["tracked_packages", "shareable", "route_through_gateway", "is_preview", "created_by"];
      return verdict(
        known.some((field) => field in liveOf(subject)),
        "none of these fields",
      );
    },
  },
  {
    id: "2A.Deployment.display_name",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).patch(pathOf(subject), { display_name: "Acceptance" });
      if (!ok(reply)) return describe(reply);
      const { body } = await controlPlaneOf(subject).get(pathOf(subject));
      const isSame = body.latest_revision_id === liveOf(subject).latest_revision_id;
      return verdict(body.display_name === "Acceptance" && isSame, isSame ? "it is not shown" : "a new revision");
    },
  },
  {
    id: "2A.Deployment.secrets:hidden",
    check: async (subject) => {
      const { secrets, source_revision_config: config } = emptyOf(subject);
      return verdict((secrets ?? []).length === 0 && config === null, "secrets or a configuration are shown");
    },
  },
  {
    id: "4A.POST:omitted",
    check: async (subject) => verdict(emptyOf(subject).latest_revision_id == null, "a revision"),
  },
  {
    id: "2A.SourceConfig.deployment_type:sources",
    check: async (subject) => {
      const { deployment_type: type } = emptyOf(subject).source_config ?? {};
      return verdict(isText(type), `the type of internal_docker is ${type}`);
    },
  },
  {
    id: "2A.SourceConfig.custom_url:agent",
    check: async (subject) => {
      const { created } = given(subject.deployment, "deployment");
      permitted(liveOf(subject).source_config.custom_url != null, "custom_url stays null for external images");
      return verdict(created.body.source_config.custom_url == null, "custom_url is not null before a revision is live");
    },
  },
  {
    id: "2A.SourceConfig.custom_url:image",
    check: async (subject) => permitted(liveOf(subject).source_config.custom_url == null, "it is not null"),
  },
];

const rejected: Check[] = [
  {
    id: "2A.SourceConfig.deployment_type:required",
    check: async (subject) => {
      const api = controlPlaneOf(subject);
      const reply = await api.post(LIST, emptyBody(`${subject.name}-type`));
      if (ok(reply)) await remove(api, reply.body.id);
      return verdict(isRejected(reply) && /deployment_type/.test(JSON.stringify(reply.body)), reply);
    },
  },
  rejectsCreate("2A.SourceConfig.template_id", "template", /template/, { source: "internal_template" }),
  rejectsCreate("2A.ResourceSpec:required", "spec", /resource_spec/, {
    ...{ source: "external_docker", source_config: {}, source_revision_config: { image_uri: "example.com/none:1" } },
  }),
  rejectsCreate("2A.Secret.name:reserved", "reserved", /./, { secrets: [{ name: "POSTGRES_URI", value: "x" }] }),
  {
    id: "2A.ResourceSpec:cloud",
    check: async (subject) => {
      const source_config = { resource_spec: { cpu: 1, memory_mb: 1024 } };
      const reply = await tryCreate(subject, "cloud", { source_config });
      return permitted(ok(reply), reply);
    },
  },
  {
    id: "2A.SourceConfig.install_command:docker",
    check: async (subject) => {
      const change = { source_config: { install_command: "true" } };
      const reply = await controlPlaneOf(subject).patch(`${LIST}/${emptyOf(subject).id}`, change);
      return permitted(isRejected(reply), reply);
    },
  },
];

const lists: Check[] = [
  {
    id: "4A.GET /v2/deployments.name",
    check: async (subject) => {
      const { name } = liveOf(subject);
      const reply = await controlPlaneOf(subject).get(`${LIST}?name=${name}&limit=100`);
      return verdict(namesIn(reply.body).join() === name, reply);
    },
  },
  {
    id: "4A.GET /v2/deployments.agent_id",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get(`${LIST}?agent_id=${UNKNOWN_ID}`);
      return verdict(ok(reply) && namesIn(reply.body).length === 0, ok(reply) ? "the filter is ignored" : reply);
    },
  },
  {
    id: "4A.GET /v2/deployments/free-count",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).get(`${LIST}/free-count`);
      return verdict(ok(reply) && typeof reply.body.count === "number", reply);
    },
  },
  {
    id: "4C.GET /api/v1/workspaces",
    check: async (subject) => {
      const reply = await tracingOf(subject).with({ "x-tenant-id": undefined }).get("/api/v1/workspaces");
      return verdict(ok(reply) && Array.isArray(reply.body) && isText(reply.body[0]?.id), reply);
    },
  },
  {
    id: "5.item 4:scope-error",
    check: async (subject) => {
      const reply = await controlPlaneOf(subject).with({ "x-tenant-id": undefined }).get(LIST);
      permitted(!ok(reply), "the key belongs to one workspace");
      return verdict(reply.status === 403 && /workspace/i.test(JSON.stringify(reply.body)), reply);
    },
  },
];

export const today: readonly Check[] = [...objects, ...rejected, ...lists];
