/** The same for revisions, logs, uploads, what a deployment is made from, and exports. */
import { gzipSync } from "node:zlib";
import { describe, ok, type Reply } from "../target/http.ts";
import {
  agentServerOf,
  type Check,
  controlPlaneOf,
  given,
  isList,
  isText,
  DEPLOYMENTS as LIST,
  liveOf,
  NotSeen,
  type Subject,
  tracingOf,
  verdict,
} from "./check.ts";
import { emptyOf, permitted } from "./today.ts";

const REVISIONS = [
  ...["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED", "SKIPPED"],
  ...["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "INTERRUPTED", "UNKNOWN"],
];
const pathOf = (subject: Subject) => `${LIST}/${liveOf(subject).id}`;
const liveRevision = (subject: Subject) => `revisions/${liveOf(subject).latest_revision_id}`;
const hasAll = (object: object | undefined, ...names: string[]) => names.every((name) => name in (object ?? {}));
const isLogPage = ({ body }: Reply) => isList(body?.logs) && hasAll(body, "next_offset");

/** A GET or POST must succeed with this form. */
const returns = (
  id: string,
  [method, path, body]: readonly [string, (subject: Subject) => string, object?],
  hasForm: (reply: Reply) => boolean,
): Check => ({
  id,
  check: async (subject) => {
    const reply = await controlPlaneOf(subject).send(method, path(subject), body);
    return verdict(ok(reply) && hasForm(reply), reply);
  },
});

const LOGS = `${LIST}/{deployment_id}/revisions/{revision_id}/logs`;
const logs = (subject: Subject) => `${pathOf(subject)}/${liveRevision(subject)}/logs?type=deploy`;
const older = (kind: string) => (subject: Subject) =>
  `/v1/projects/${liveOf(subject).id}/${liveRevision(subject)}/${kind}`;

const revisions: Check[] = [
  returns(
    `4A.GET ${LIST}/{deployment_id}/revisions`,
    ["GET", (subject) => `${pathOf(subject)}/revisions`],
    ({ body }) => isList(body.resources) && isText(body.resources[0]?.id),
  ),
  returns("2A.Revision.fields", ["GET", (subject) => `${pathOf(subject)}/${liveRevision(subject)}`], ({ body }) =>
    hasAll(body, "id", "status", "source", "source_revision_config", "created_at", "updated_at"),
  ),
  returns("3.Revision status", ["GET", (subject) => `${pathOf(subject)}/revisions`], ({ body }) =>
    body.resources.every(({ status }: { status: string }) => REVISIONS.includes(status)),
  ),
  returns(`4A.GET ${LOGS}`, ["GET", logs], isLogPage),
  returns("2A.LogPage", ["GET", logs], isLogPage),
  ...["build_logs", "deploy_logs"].map((kind) =>
    returns(
      `4A.POST /v1/projects/{deployment_id}/revisions/{revision_id}/${kind}`,
      ["POST", older(kind), {}],
      isLogPage,
    ),
  ),
  returns(
    "4A.GET /v2/deployment-logs",
    ["GET", (subject) => `/v2/deployment-logs?deployment_id=${liveOf(subject).id}`],
    ({ body }) => isList(body.items) && hasAll(body, "next_cursor"),
  ),
];

/** The first item of a list of the workspace. */
async function firstOf(subject: Subject, path: string, what: string) {
  const reply = await controlPlaneOf(subject).get(path);
  if (!ok(reply)) throw new NotSeen(`the server does not list ${what}: ${describe(reply)}`);
  return given((isList(reply.body) ? reply.body : reply.body?.resources)?.[0], what);
}
const integrationOf = async (subject: Subject) =>
  firstOf(subject, `/v1/integrations/${subject.githost}/install`, "integration");

/** Requests what belongs to another object. */
const ofOther = (
  ids: readonly string[],
  request: (subject: Subject) => Promise<Reply>,
  hasForm: (reply: Reply) => boolean,
): Check[] =>
  ids.map((id) => ({
    id,
    check: async (subject) => {
      const reply = await request(subject);
      return verdict(ok(reply) && hasForm(reply), reply);
    },
  }));

const sources: Check[] = [
  {
    id: "2A.Integration",
    check: async (subject) =>
      verdict(hasAll(await integrationOf(subject), "id", "installation_id", "name"), "other fields"),
  },
  ...ofOther(
    ["4A.GET /v1/integrations/githost/{integration_id}/repos", "2A.Repository"],
    async (subject) => {
      const { id } = await integrationOf(subject);
      return controlPlaneOf(subject).get(`/v1/integrations/${subject.githost}/${id}/repos`);
    },
    ({ body }) =>
      isList(body) && (body.length === 0 || hasAll(body[0], "id", "name", "owner", "url", "default_branch")),
  ),
  ...ofOther(
    ["4A.GET /v2/listeners/{listener_id}", "2A.Listener"],
    async (subject) => {
      const { id } = await firstOf(subject, "/v2/listeners", "listener");
      return controlPlaneOf(subject).get(`/v2/listeners/${id}`);
    },
    ({ body }) => hasAll(body, "id", "compute_type", "compute_id", "compute_config"),
  ),
  ...ofOther(
    [`4A.POST ${LIST}/{deployment_id}/push-token`, "2A.PushToken"],
    async (subject) => {
      const { id } = emptyOf(subject);
      return controlPlaneOf(subject).post(`${LIST}/${id}/push-token`, { supports_registry_username: true });
    },
    ({ body }) => isText(body.token) && isText(body.registry_url),
  ),
];

/** The upload of a tarball to the deployment of a folder. */
const uploads: Check[] = [`4A.POST ${LIST}/{deployment_id}/upload-url`, "2A.Upload", "4A.upload:range"].map(
  (id, index) => ({
    id,
    check: async (subject: Subject) => {
      const folder = given(subject.folder, "deployment of a folder");
      permitted(ok(folder), folder);
      const path = `${LIST}/${folder.body.id}/upload-url`;
      const reply = await controlPlaneOf(subject).post(path, { supports_upload_headers: true });
      const { upload_url: url, object_path: object, upload_headers: headers } = reply.body ?? {};
      if (index < 2) return verdict(ok(reply) && isText(url) && isText(object), reply);
      permitted(ok(reply) && !headers, ok(reply) ? "the server returns upload_headers" : reply);
      const range = { "X-Goog-Content-Length-Range": "0,209715200" };
      const headersOfPut = { "content-type": "application/gzip", ...range };
      const accepted = await fetch(url, { method: "PUT", headers: headersOfPut, body: gzipSync("x") });
      return verdict(accepted.ok, `the upload is ${accepted.status}`);
    },
  }),
);

const EXPORTS = "/api/v1/bulk-exports";
const DESTINATIONS = `${EXPORTS}/destinations`;
const ROLE = "arn:aws:iam::000000000000:role/acceptance";

/** Creates another destination like that of the run, and deletes it. */
async function withDestination<T>(subject: Subject, use: (path: string) => Promise<T>): Promise<T> {
  const { body } = given(subject.destination, "destination");
  const created = await tracingOf(subject).post(DESTINATIONS, { ...body, display_name: `${subject.name}-other` });
  if (!ok(created)) throw new NotSeen(`a second destination was rejected: ${describe(created)}`);
  try {
    return await use(`${DESTINATIONS}/${created.body.id}`);
  } finally {
    await tracingOf(subject).delete(`${DESTINATIONS}/${created.body.id}`);
  }
}

const exports: Check[] = [
  {
    id: "2C.Destination.aws_role_arn",
    check: async (subject) => {
      const { credentials: _, ...body } = given(subject.destination, "destination").body;
      const display_name = `${subject.name}-role`;
      const reply = await tracingOf(subject).post(DESTINATIONS, { ...body, display_name, aws_role_arn: ROLE });
      if (ok(reply)) await tracingOf(subject).delete(`${DESTINATIONS}/${reply.body.id}`);
      // The role does not exist: a server that knows the field tests it, and others miss the credentials.
      return verdict(ok(reply) || reply.status === 400, reply);
    },
  },
  {
    id: "2C.Destination:switch",
    check: async (subject) =>
      withDestination(subject, async (path) => {
        const reply = await tracingOf(subject).patch(path, { aws_role_arn: ROLE });
        permitted(ok(reply), reply);
        return verdict((reply.body.credentials_keys ?? []).length === 0, "the credentials are still there");
      }),
  },
  {
    id: `4C.PATCH ${DESTINATIONS}/{destination_id}`,
    check: async (subject) =>
      withDestination(subject, async (path) => {
        const { credentials } = given(subject.destination, "destination").body;
        const reply = await tracingOf(subject).patch(path, { credentials });
        return verdict(ok(reply), reply);
      }),
  },
  {
    id: `4C.DELETE ${DESTINATIONS}/{destination_id}`,
    check: async (subject) =>
      withDestination(subject, async (path) => {
        const reply = await tracingOf(subject).delete(path);
        return verdict(reply.status === 204, reply);
      }),
  },
  {
    id: "2C.Exportable fields:feedbacks",
    check: async (subject) => {
      const reply = await tracingOf(subject).post(EXPORTS, {
        bulk_export_destination_id: given(subject.destination, "destination").created.body.id,
        session_id: given(subject.project, "project"),
        ...{ start_time: "2100-01-01T00:00:00Z", interval_hours: 24, export_fields: ["id", "feedbacks"] },
      });
      if (ok(reply)) await tracingOf(subject).patch(`${EXPORTS}/${reply.body.id}`, { status: "Cancelled" });
      return permitted(ok(reply) && (reply.body.export_fields ?? []).includes("feedbacks"), reply);
    },
  },
  {
    id: "5.item 3:hosted",
    check: async (subject) => {
      // Others run an agent server of --agent-url.
      given(subject.deployment, "deployment");
      const reply = await agentServerOf(subject).anonymous().post("/threads/search", { limit: 1 });
      return verdict(reply.status === 401 || reply.status === 403, reply);
    },
  },
];

export const todaysRoutes: readonly Check[] = [...revisions, ...sources, ...uploads, ...exports];
