/** The functions for deployments, their revisions and logs (API `4A`). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import { type ControlPlaneClient, type Deployment, type DeploymentFilter, hasAll } from "../api/control-plane/client";
import { secretReference } from "../api/control-plane/pod";
import { logLineSchema } from "../api/control-plane/revisions";
import { deploymentSchema, MARKER, revisionSchema } from "../api/control-plane/schemas";
import { knownValue } from "../api/known-values";
import { collectAll, PAGE_SIZE, paginate } from "../api/pagination";
import { fieldMetadata, optionalFlag, optionalName, optionalText } from "../schema/schema";
import { createdAtMs } from "../schema/timestamp";
import { snakeCase } from "../text/format";
import { defineFunction, deploymentId } from "./definition";
import { batchedByName } from "./shared/by-name";

const { secrets: _secrets, secretReferences: _references, ...fields } = deploymentSchema.shape;
const deploymentInfo = z
  .object({
    ...fields,
    secretNames: z.array(z.string()).describe("Names of the secret environment variables, sorted."),
    secrets: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        "Secret environment variables by name, with the values that the server returns. Secret. Returned only " +
          "with `withSecrets: true`.",
      ),
    secretReferences: z
      .record(z.string(), secretReference)
      .optional()
      .describe("Environment variables from orchestrator secrets, by variable name."),
  })
  .register(fieldMetadata, { interface: "DeploymentInfo", description: "A deployment of the workspace." });

const withSecrets = optionalFlag("Whether the result contains secret values. Defaults to false.");

export const getDeployment = defineFunction({
  name: "getDeployment",
  description: "Returns one deployment, by its exact name or its ID.",
  example: { plain: '{ name: "support-agent" }' },
  section: "4A",
  args: z.strictObject({
    name: optionalName("Exact name of the deployment. Specify either `name` or `id`."),
    id: optionalName("ID of the deployment. Specify either `name` or `id`."),
    withSecrets,
  }),
  exactlyOne: [["name", "id"]],
  result: deploymentInfo,
  secrets: ["secrets"],
  read: async ({ name, id = "" }, clients) =>
    toInfo(await (name === undefined ? clients.controlPlane.readDeployment(id) : findByName(clients, name))),
});

export const getDeployments = defineFunction({
  name: "getDeployments",
  description: "Returns all deployments of the workspace that match every filter, newest first.",
  example: { plain: '{ status: "READY" }' },
  section: "4A",
  args: z.strictObject({
    nameContains: optionalText("Part of the name."),
    status: knownValue("DeploymentStatus").optional().describe("Status, such as READY."),
    deploymentType: knownValue("DeploymentType").optional().describe("Size class."),
    imageVersion: optionalText("Version of the platform's base image."),
    agentId: optionalText("ID of the agent, on platforms with agents; others ignore it."),
    agentEnvironment: optionalText("Environment of the agent, such as production."),
    remoteReconciled: optionalFlag("Whether a remote cluster reconciles the deployment."),
    tagValueIds: z.array(z.string()).optional().describe("IDs of tag values."),
    deploymentIds: z.array(z.string()).optional().describe("IDs of deployments; IDs that do not exist are ignored."),
    withSecrets,
  }),
  result: z.array(deploymentInfo),
  secrets: ["secrets"],
  async read({ tagValueIds, deploymentIds, ...fields }, { controlPlane }) {
    const named = Object.fromEntries(Object.entries(fields).map(([key, value]) => [snakeCase(key), value]));
    const filter: DeploymentFilter = { ...named, tag_value_ids: tagValueIds?.join(",") };
    const batches = await Promise.all(toBatches(deploymentIds).map((ids) => listMatching(controlPlane, filter, ids)));
    const deployments = batches.flat();
    // The server sorts each batch only.
    if (batches.length > 1) deployments.sort((a, b) => createdAtMs(b) - createdAtMs(a));
    return deployments.map(toInfo);
  },
});

function listMatching(controlPlane: ControlPlaneClient, filter: DeploymentFilter, ids: readonly string[] | undefined) {
  const list = controlPlane.listDeployments({ ...filter, deployment_ids: ids?.join(",") });
  return collectAll(list, (all) => ids !== undefined && hasAll(all, ids));
}

function toBatches(ids: readonly string[] | undefined): (readonly string[] | undefined)[] {
  if (ids === undefined) return [undefined];
  const distinct = [...new Set(ids)];
  const starts = Array.from({ length: Math.ceil(distinct.length / PAGE_SIZE) }, (_, index) => index * PAGE_SIZE);
  return starts.map((start) => distinct.slice(start, start + PAGE_SIZE));
}

const findByName = batchedByName<Clients, Deployment>({
  ...{ noun: "deployment", nameOf: ({ name }) => name, idOf: ({ id }) => id },
  search: (name, { controlPlane }) => controlPlane.listDeployments({ name_contains: name }),
  pages: ({ controlPlane }) => controlPlane.listDeployments(),
});

function toInfo({ secrets = [], secretReferences, unreadable, ...rest }: Deployment) {
  if (unreadable) throw unreadable;
  const userSecrets = secrets.filter(({ name }) => name !== MARKER);
  const references = (secretReferences ?? []).map(({ name, ...reference }) => [name, reference] as const);
  return {
    ...rest,
    isManagedDeepAgent: rest.isManagedDeepAgent ?? false,
    secretNames: userSecrets.map(({ name }) => name).sort(),
    secrets: Object.fromEntries(userSecrets.map(({ name, value }) => [name, value ?? ""])),
    secretReferences: Object.fromEntries(references),
  };
}

const revisionId = z.string().min(1).describe("ID of the revision.");

export const getRevision = defineFunction({
  name: "getRevision",
  description: "Returns one revision of a deployment, by its ID.",
  example: {
    plain: "{ deploymentId, revisionId }",
    output: "{ deploymentId: agent.id, revisionId: agent.latestRevisionId }",
  },
  section: "4A",
  args: z.strictObject({ deploymentId, revisionId }),
  result: revisionSchema,
  read: (args, { controlPlane }) => controlPlane.getRevision(args.deploymentId, args.revisionId),
});

export const getRevisions = defineFunction({
  name: "getRevisions",
  description: "Returns all revisions of a deployment, newest first.",
  example: { plain: "{ deploymentId }", output: "{ deploymentId: agent.id }" },
  args: z.strictObject({
    deploymentId,
    status: z.array(knownValue("RevisionStatus")).optional().describe("Statuses to include. Defaults to all."),
  }),
  result: z.array(revisionSchema),
  read: (args, { revisions }) => collectAll(revisions.list(args.deploymentId, args.status?.join(","))),
});

const UNLIMITED = Number.POSITIVE_INFINITY;
/** Largest page of a log (API `4A`). */
const MAX_PAGE_SIZE = 1000;

export const getRevisionLogs = defineFunction({
  name: "getRevisionLogs",
  description: "Returns the build or deployment log of a revision: all lines, or at most `limit`.",
  example: {
    plain: '{ deploymentId, revisionId, type: "deploy" }',
    output: '{ deploymentId: agent.id, revisionId: agent.latestRevisionId, type: "deploy" }',
  },
  args: z.strictObject({
    deploymentId,
    revisionId,
    type: z.enum(["build", "deploy"]).describe("Log to read."),
    order: z
      .enum(["asc", "desc"])
      .optional()
      .describe("Order of the lines: oldest first (`asc`) or newest first (`desc`). Defaults to `asc`."),
    level: optionalText("Only lines of this level, such as ERROR."),
    query: optionalText("Only lines that contain this text."),
    startTime: optionalText("Only lines from this time on, such as `2026-01-31T12:00:00Z`."),
    endTime: optionalText("Only lines until this time."),
    limit: z.int().min(1).optional().describe("Maximum number of lines. Defaults to all."),
  }),
  result: z.array(logLineSchema),
  async read({ deploymentId, revisionId, startTime, endTime, limit: maxLines = UNLIMITED, ...rest }, { revisions }) {
    const query = { order: "asc" as const, ...rest, start_time: startTime, end_time: endTime };
    const limit = Math.min(MAX_PAGE_SIZE, maxLines);
    const read = async (offset?: string) => {
      const { logs, nextOffset } = await revisions.logs(deploymentId, revisionId, { ...query, limit, offset });
      // At the end of the log, the cursor is absent or does not change.
      return { items: logs ?? [], next: nextOffset === offset ? undefined : (nextOffset ?? undefined) };
    };
    const hint = (count: number) => `Set \`limit: ${count}\` to read only those.`;
    const pages = paginate({ noun: "lines of the log", limit, read, hint });
    return (await collectAll(pages, ({ length }) => length >= maxLines)).slice(0, maxLines);
  },
});
