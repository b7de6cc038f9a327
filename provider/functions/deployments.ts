/** The functions for deployments (API `4A`). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import { type ControlPlaneClient, type Deployment, type DeploymentFilter, hasAll } from "../api/control-plane/client";
import { secretReference } from "../api/control-plane/pod";
import { deploymentSchema, MARKER } from "../api/control-plane/schemas";
import { knownValue } from "../api/known-values";
import { collectAll, PAGE_SIZE } from "../api/pagination";
import { optionalFlag, optionalName, optionalText } from "../schema/optional";
import { fieldMetadata } from "../schema/schema";
import { defineFunction } from "./definition";
import { batchedByName, type Lister } from "./shared/by-name";

const { secrets: _secrets, secretReferences: _references, ...fields } = deploymentSchema.shape;
const deploymentInfo = z
  .object({
    ...fields,
    url: optionalText("URL of the agent server; absent until the first revision is live."),
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
    deploymentType: z.enum(["dev_free", "dev", "prod", "dev_zero"]).optional().describe("Size class."),
    imageVersion: optionalText("Version of the platform's base image."),
    remoteReconciled: optionalFlag("Whether a remote cluster reconciles the deployment."),
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
