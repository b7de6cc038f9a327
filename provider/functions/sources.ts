/** Where sources come from and deployments go to (interface section 4 A, interface-notes section 2). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import {
  integrationSchema,
  listenerSchema,
  pushTokenSchema,
  repositorySchema,
  uploadUrlSchema,
} from "../api/control-plane/sources";
import { collectAll } from "../api/pagination";
import { coalesced } from "./batch";
import { requireOne } from "./by-name";
import { defineFunction, deploymentId, optionalName } from "./definition";

const listIntegrations = coalesced(({ sources }: Clients) => sources.listIntegrations());
const listListeners = coalesced(({ sources }: Clients) => collectAll(sources.listListeners()));

export const getIntegration = defineFunction({
  name: "getIntegration",
  description: "One integration with the git host, by its exact name.",
  example: { plain: '{ name: "my-organization" }' },
  args: z.strictObject({ name: z.string().min(1).describe("Name of the account or organization that installed it.") }),
  result: integrationSchema,
  read: async ({ name }, clients) =>
    requireOne(
      { what: "integration", by: "name", nameOf: (item) => item.name, idOf: (item) => item.id },
      name,
      await listIntegrations(clients),
    ),
});

export const getIntegrations = defineFunction({
  name: "getIntegrations",
  description: "All integrations of the workspace with the git host.",
  example: { plain: "" },
  args: z.strictObject({}),
  result: z.array(integrationSchema),
  read: (_args, clients) => listIntegrations(clients),
});

export const getRepositories = defineFunction({
  name: "getRepositories",
  description: "All repositories that an integration with the git host may read.",
  example: { plain: "{ integrationId }" },
  args: z.strictObject({ integrationId: z.string().min(1).describe("Id of the integration.") }),
  result: z.array(repositorySchema),
  read: ({ integrationId }, { sources }) => sources.listRepositories(integrationId),
});

export const getListener = defineFunction({
  name: "getListener",
  description: "One listener, by its id or by the cluster it stands in.",
  example: { plain: '{ computeId: "eu-west" }' },
  section: "4A",
  args: z.strictObject({
    id: optionalName("Its id. This or `computeId`."),
    computeId: optionalName("Name of its cluster, as the service knows it. This or `id`."),
  }),
  exactlyOne: ["id", "computeId"],
  result: listenerSchema,
  // By id as well from the list, the only route for them that the interface shows.
  read: async ({ id, computeId }, clients) => {
    const [by, value] = id === undefined ? (["computeId", computeId ?? ""] as const) : (["id", id] as const);
    return requireOne(
      { what: "listener", by, nameOf: (item) => item[by], idOf: (item) => item.id },
      value,
      await listListeners(clients),
    );
  },
});

export const getListeners = defineFunction({
  name: "getListeners",
  description: "All listeners of the workspace.",
  example: { plain: "" },
  section: "4A",
  args: z.strictObject({}),
  result: z.array(listenerSchema),
  read: (_args, clients) => listListeners(clients),
});

export const getPushToken = defineFunction({
  name: "getPushToken",
  description: "A new token for pushing an image, for a deployment of source `internal_docker`.",
  example: { plain: "{ deploymentId, withSecrets: true }", output: "{ deploymentId: agent.id }" },
  args: z.strictObject({
    deploymentId,
    withSecrets: z.boolean().optional().describe("Whether the answer holds the token itself; false when absent."),
  }),
  result: pushTokenSchema,
  secrets: ["token"],
  read: ({ deploymentId }, { sources }) => sources.createPushToken(deploymentId),
});

export const getUploadUrl = defineFunction({
  name: "getUploadUrl",
  description: "A new URL to upload a tarball to, for a deployment of source `internal_source`.",
  example: { plain: "{ deploymentId, withSecrets: true }", output: "{ deploymentId: agent.id }" },
  section: "4A",
  args: z.strictObject({
    deploymentId,
    withSecrets: z.boolean().optional().describe("Whether the result holds the URL itself; false when absent."),
  }),
  result: uploadUrlSchema,
  secrets: ["uploadUrl"],
  read: async ({ deploymentId }, { controlPlane }) => {
    const { url: uploadUrl, objectPath } = await controlPlane.createUpload(deploymentId, { withHeaders: false });
    return { uploadUrl, objectPath };
  },
});
