/** Deployments (interface section 4 A): by name or id, and all that match. */
import { z } from "zod";
import type { Clients } from "../api/clients";
import { type ControlPlaneClient, type Deployment, type DeploymentFilter, hasAll } from "../api/control-plane/client";
import { MARKER } from "../api/control-plane/ownership-marker";
import { resourceSpec } from "../api/control-plane/resource-spec";
import { revisionConfigSchema } from "../api/control-plane/revisions";
import { knownValue } from "../api/known-values";
import { collectAll, PAGE_SIZE } from "../api/pagination";
import { HttpError } from "../http/errors";
import { fieldMetadata } from "../schema/schema";
import { batched } from "./batch";
import { findByName, type Lister } from "./by-name";
import { defineFunction, optionalName } from "./definition";

const text = (what: string) => z.string().optional().describe(what);

const sourceConfig = z
  .object({
    integrationId: text("Integration with the git host that may read the repository."),
    repoUrl: text("Repository that it is built from."),
    deploymentType: knownValue("DeploymentType").optional().describe("Size class."),
    buildOnPush: z.boolean().optional().describe("Whether a push to the branch makes a revision by itself."),
    customUrl: text("URL of the agent server, as `url` says it too."),
    resourceSpec: resourceSpec
      .optional()
      .describe("Replicas, CPU, memory and the pod's own settings, filled with the service's defaults."),
    listenerId: text("Listener in the cluster where it runs."),
    listenerConfig: z
      .object({ k8sNamespace: text("Namespace it is deployed to.") })
      .register(fieldMetadata, { interface: "ListenerConfigInfo" })
      .optional()
      .describe("Settings for the listener."),
    installCommand: text("Command that installs the dependencies of a JS deployment."),
    buildCommand: text("Command that builds a JS deployment."),
  })
  .register(fieldMetadata, { interface: "SourceConfigInfo" });

const secretReference = z
  .object({
    secretName: z.string().describe("Name of the orchestrator secret in the deployment's namespace."),
    secretKey: z.string().describe("Key within that secret."),
  })
  .register(fieldMetadata, { interface: "SecretReferenceInfo" });

const deploymentInfo = z
  .object({
    id: z.string().describe("Id of the deployment."),
    name: z.string().describe("Name of the deployment and of its tracing project."),
    tenantId: text("Workspace that owns it."),
    source: knownValue("DeploymentSource").optional().describe("Where what runs comes from."),
    status: knownValue("DeploymentStatus").describe(
      "What the service says of it as a whole: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN.",
    ),
    url: text("URL of its agent server; absent until the first revision serves."),
    latestRevisionId: text("The newest revision, whatever became of it; absent where there is none yet."),
    activeRevisionId: text("The revision that serves now; absent until the first does."),
    sourceConfig: sourceConfig.optional().describe("Where it is built from, and how it runs."),
    sourceRevisionConfig: revisionConfigSchema.optional().describe("What runs in the newest revision."),
    secretNames: z.array(z.string()).describe("Names of its secret environment variables, in order."),
    secrets: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        "Secret environment variables by name, as far as the service shows them. Secret; a plain look-up, and one of many, needs `withSecrets: true` for them.",
      ),
    secretReferences: z
      .record(z.string(), secretReference)
      .optional()
      .describe("Environment variables that come from secrets of the orchestrator, by name."),
    imageVersion: text("Version of the platform's base image, where the service tells it."),
    isManagedDeepAgent: z.boolean().describe("Whether the platform manages the agent itself."),
    createdAt: text("When it was created, as the service says it."),
    updatedAt: text("When it was last changed, as the service says it."),
  })
  .register(fieldMetadata, { interface: "DeploymentInfo" });

const withSecrets = z.boolean().optional().describe("Whether the answer holds secret values; false when absent.");

export const getDeployment = defineFunction({
  name: "getDeployment",
  description: "One deployment, by its exact name or its id.",
  example: { plain: '{ name: "support-agent" }' },
  section: "4A",
  args: z.strictObject({
    name: optionalName("Its exact name. This or `id`."),
    id: optionalName("Its id. This or `name`."),
    withSecrets,
  }),
  exactlyOne: ["name", "id"],
  result: deploymentInfo,
  secrets: ["secrets"],
  read: async ({ name, id = "" }, clients) =>
    toInfo(await (name === undefined ? findById(clients, id) : findByDeploymentName(clients, name))),
});

export const getDeployments = defineFunction({
  name: "getDeployments",
  description: "All deployments of the workspace that match every filter, newest first.",
  example: { plain: '{ status: "READY" }' },
  section: "4A",
  args: z.strictObject({
    nameContains: text("A part of the name."),
    status: knownValue("DeploymentStatus").optional().describe("Their status, such as READY."),
    deploymentType: z.enum(["dev_free", "dev", "prod", "dev_zero"]).optional().describe("Their size class."),
    imageVersion: text("Their version of the platform's base image."),
    remoteReconciled: z.boolean().optional().describe("Whether they are reconciled by a remote cluster."),
    tagValueIds: z.array(z.string()).optional().describe("Ids of tag values that they carry."),
    deploymentIds: z.array(z.string()).optional().describe("Their ids; those that do not exist are left out."),
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
    const deployments = await Promise.all(
      batchesOf(deploymentIds).map((ids) => listMatching(controlPlane, filter, ids)),
    );
    // Each part begins with its newest.
    const all =
      deployments.length > 1 ? deployments.flat().sort((a, b) => createdAtMs(b) - createdAtMs(a)) : deployments.flat();
    return all.map(toInfo);
  },
});

/** All that match. Once each of the IDs is found there can be no more. */
function listMatching(controlPlane: ControlPlaneClient, filter: DeploymentFilter, ids: readonly string[] | undefined) {
  const list = controlPlane.listDeployments({ ...filter, deployment_ids: ids?.join(",") });
  return collectAll(list, (all) => ids !== undefined && hasAll(all, ids));
}

/** IDs as requests take them, each once; one request without any where nobody asked for IDs. */
function batchesOf(ids: readonly string[] | undefined): (readonly string[] | undefined)[] {
  if (ids === undefined) return [undefined];
  const distinct = [...new Set(ids)];
  const starts = Array.from({ length: Math.ceil(distinct.length / PAGE_SIZE) }, (_, index) => index * PAGE_SIZE);
  return starts.map((start) => distinct.slice(start, start + PAGE_SIZE));
}

const createdAtMs = ({ createdAt }: Deployment) => Date.parse(createdAt ?? "");

const lister: Lister<Deployment> = { what: "deployment", nameOf: ({ name }) => name, idOf: ({ id }) => id };

const findByDeploymentName = findByName<Clients, Deployment>({
  ...lister,
  search: (name, { controlPlane }) => controlPlane.listDeployments({ name_contains: name }),
  pages: ({ controlPlane }) => controlPlane.listDeployments(),
});

/** What no list shows is asked by itself: only that answer says why. */
const findById = batched<Clients, Deployment>(async (ids, clients) => {
  const deployments = ids.length > 1 ? await listByIds(ids, clients) : [];
  const one = (id: string) => clients.controlPlane.getDeployment(id).catch((error: Error) => error);
  return Promise.all(ids.map((id) => deployments.find((deployment) => deployment.id === id) ?? one(id)));
}, PAGE_SIZE);

async function listByIds(ids: readonly string[], clients: Clients): Promise<Deployment[]> {
  try {
    return await clients.controlPlane.listDeploymentsById(ids);
  } catch (error) {
    // One id that is none spoils the list for all.
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
