/** The functions for deployments (interface section 4 A). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import { type ControlPlaneClient, type Deployment, type DeploymentFilter, hasAll } from "../api/control-plane/client";
import { MARKER } from "../api/control-plane/ownership-marker";
import { secretReference } from "../api/control-plane/pod";
import { resourceSpec } from "../api/control-plane/resource-spec";
import { revisionConfigSchema } from "../api/control-plane/revisions";
import { knownValue } from "../api/known-values";
import { collectAll, PAGE_SIZE } from "../api/pagination";
import { HttpError } from "../http/errors";
import { fieldMetadata } from "../schema/schema";
import { batched } from "./batch";
import { batchedByName, type Lister } from "./by-name";
import { defineFunction, optionalName } from "./definition";

const text = (what: string) => z.string().optional().describe(what);

const sourceConfig = z
  .object({
    integrationId: text("ID of the git integration that has access to the repository."),
    repoUrl: text("URL of the repository that is built."),
    deploymentType: knownValue("DeploymentType").optional().describe("Size class."),
    buildOnPush: z.boolean().optional().describe("Whether a push to the branch creates a revision."),
    customUrl: text("URL of the agent server; the same as `url`."),
    resourceSpec: resourceSpec
      .optional()
      .describe("Replicas, CPU, memory and pod settings, including the server's defaults."),
    listenerId: text("ID of the listener in the cluster where it runs."),
    listenerConfig: z
      .object({ k8sNamespace: text("Namespace of the deployment.") })
      .register(fieldMetadata, {
        interface: "ListenerConfigInfo",
        description: "Settings for the listener of a deployment.",
      })
      .optional()
      .describe("Settings for the listener."),
    installCommand: text("Command that installs the dependencies of a JS deployment."),
    buildCommand: text("Command that builds a JS deployment."),
  })
  .register(fieldMetadata, {
    interface: "SourceConfigInfo",
    description: "The source and runtime configuration of a deployment.",
  });

const deploymentInfo = z
  .object({
    id: z.string().describe("ID of the deployment."),
    name: z.string().describe("Name of the deployment and of its tracing project."),
    tenantId: text("Workspace that owns it."),
    source: knownValue("DeploymentSource").optional().describe("Source of the deployment, such as `githost`."),
    status: knownValue("DeploymentStatus").describe(
      "Status of the deployment: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN.",
    ),
    url: text("URL of the agent server; absent until the first revision is live."),
    latestRevisionId: text("ID of the latest revision, whatever its status; absent before the first."),
    activeRevisionId: text("ID of the live revision; absent until the first is live."),
    sourceConfig: sourceConfig.optional().describe("Source and runtime configuration."),
    sourceRevisionConfig: revisionConfigSchema.optional().describe("Configuration of the latest revision."),
    secretNames: z.array(z.string()).describe("Names of the secret environment variables, sorted."),
    secrets: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        "Secret environment variables by name, with the values that the server returns. Secret. Returned only with `withSecrets: true`.",
      ),
    secretReferences: z
      .record(z.string(), secretReference)
      .optional()
      .describe("Environment variables from orchestrator secrets, by variable name."),
    imageVersion: text("Version of the platform's base image; absent where the server does not return it."),
    isManagedDeepAgent: z.boolean().describe("Whether the platform manages the agent itself."),
    createdAt: text("Time of creation."),
    updatedAt: text("Time of the last change."),
  })
  .register(fieldMetadata, { interface: "DeploymentInfo", description: "A deployment of the workspace." });

const withSecrets = z.boolean().optional().describe("Whether the result contains secret values. Defaults to false.");

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
  exactlyOne: ["name", "id"],
  result: deploymentInfo,
  secrets: ["secrets"],
  read: async ({ name, id = "" }, clients) =>
    toInfo(await (name === undefined ? findById(clients, id) : findByName(clients, name))),
});

export const getDeployments = defineFunction({
  name: "getDeployments",
  description: "Returns all deployments of the workspace that match every filter, newest first.",
  example: { plain: '{ status: "READY" }' },
  section: "4A",
  args: z.strictObject({
    nameContains: text("Part of the name."),
    status: knownValue("DeploymentStatus").optional().describe("Status, such as READY."),
    deploymentType: z.enum(["dev_free", "dev", "prod", "dev_zero"]).optional().describe("Size class."),
    imageVersion: text("Version of the platform's base image."),
    remoteReconciled: z.boolean().optional().describe("Whether a remote cluster reconciles the deployment."),
    tagValueIds: z.array(z.string()).optional().describe("IDs of tag values."),
    deploymentIds: z.array(z.string()).optional().describe("IDs of deployments; IDs that do not exist are ignored."),
    withSecrets,
  }),
  result: z.array(deploymentInfo),
  secrets: ["secrets"],
  async read(
    { nameContains, status, deploymentType, imageVersion, remoteReconciled, tagValueIds, deploymentIds },
    { controlPlane },
  ) {
    const filter = {
      name_contains: nameContains,
      status,
      deployment_type: deploymentType,
      image_version: imageVersion,
      remote_reconciled: remoteReconciled,
      tag_value_ids: tagValueIds?.join(","),
    };
    const batches = await Promise.all(toBatches(deploymentIds).map((ids) => listMatching(controlPlane, filter, ids)));
    const deployments = batches.flat();
    // The server sorts each batch only.
    if (batches.length > 1) deployments.sort((a, b) => createdAtMs(b) - createdAtMs(a));
    return deployments.map(toInfo);
  },
});

/** Lists all that match. Stops when each of the IDs is found. */
function listMatching(controlPlane: ControlPlaneClient, filter: DeploymentFilter, ids: readonly string[] | undefined) {
  const list = controlPlane.listDeployments({ ...filter, deployment_ids: ids?.join(",") });
  return collectAll(list, (all) => ids !== undefined && hasAll(all, ids));
}

/** Splits IDs into batches without duplicates, one per request; a single request without IDs when there is no such filter. */
function toBatches(ids: readonly string[] | undefined): (readonly string[] | undefined)[] {
  if (ids === undefined) return [undefined];
  const distinct = [...new Set(ids)];
  const starts = Array.from({ length: Math.ceil(distinct.length / PAGE_SIZE) }, (_, index) => index * PAGE_SIZE);
  return starts.map((start) => distinct.slice(start, start + PAGE_SIZE));
}

const createdAtMs = ({ createdAt }: Deployment) => Date.parse(createdAt ?? "");

const lister: Lister<Deployment> = { noun: "deployment", nameOf: ({ name }) => name, idOf: ({ id }) => id };

const findByName = batchedByName<Clients, Deployment>({
  ...lister,
  search: (name, { controlPlane }) => controlPlane.listDeployments({ name_contains: name }),
  pages: ({ controlPlane }) => controlPlane.listDeployments(),
});

/** Reads many deployments in one list. Reads a deployment that the list omits by itself, for its error. */
const findById = batched<Clients, Deployment>(async (ids, clients) => {
  const deployments = ids.length > 1 ? await listByIds(ids, clients) : [];
  const readOne = (id: string) => clients.controlPlane.getDeployment(id).catch((error: Error) => error);
  return Promise.all(ids.map((id) => deployments.find((deployment) => deployment.id === id) ?? readOne(id)));
}, PAGE_SIZE);

async function listByIds(ids: readonly string[], clients: Clients): Promise<Deployment[]> {
  try {
    return await clients.controlPlane.listDeploymentsById(ids);
  } catch (error) {
    // The server rejects the whole list for one malformed ID.
    if (error instanceof HttpError && error.status === 422) return [];
    throw error;
  }
}

function toInfo({ secrets = [], secretReferences, ...rest }: Deployment) {
  const userSecrets = secrets.filter(({ name }) => name !== MARKER);
  const references = (secretReferences ?? []).map(({ name, ...reference }) => [name, reference] as const);
  return {
    ...rest,
    url: rest.sourceConfig?.customUrl,
    isManagedDeepAgent: rest.isManagedDeepAgent ?? false,
    secretNames: userSecrets.map(({ name }) => name).sort(),
    secrets: Object.fromEntries(userSecrets.map(({ name, value }) => [name, value ?? ""])),
    secretReferences: Object.fromEntries(references),
  };
}
