/** The functions for git integrations, listeners and uploads (API `4A`). */
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
import { optionalFlag, optionalName } from "../schema/schema";
import { defineFunction, deploymentId } from "./definition";
import { coalesced, requireOne } from "./shared/by-name";

const listIntegrations = coalesced(({ sources }: Clients) => sources.listIntegrations());
const listListeners = coalesced(({ sources }: Clients) => collectAll(sources.listListeners()));

export const getIntegration = defineFunction({
  name: "getIntegration",
  description: "Returns one integration with the git host, by its exact name.",
  example: { plain: '{ name: "my-organization" }' },
  args: z.strictObject({
    name: z.string().min(1).describe("Name of the account or organization that installed the integration."),
  }),
  result: integrationSchema,
  read: async ({ name }, clients) =>
    requireOne(
      { noun: "integration", argument: "name", nameOf: (item) => item.name, idOf: (item) => item.id },
      name,
      await listIntegrations(clients),
    ),
});

export const getIntegrations = defineFunction({
  name: "getIntegrations",
  description: "Returns all integrations of the workspace with the git host.",
  example: { plain: "" },
  args: z.strictObject({}),
  result: z.array(integrationSchema),
  read: (_args, clients) => listIntegrations(clients),
});

export const getRepositories = defineFunction({
  name: "getRepositories",
  description: "Returns all repositories that an integration with the git host has access to.",
  example: { plain: "{ integrationId }" },
  args: z.strictObject({ integrationId: z.string().min(1).describe("ID of the integration.") }),
  result: z.array(repositorySchema),
  read: ({ integrationId }, { sources }) => sources.listRepositories(integrationId),
});

export const getListener = defineFunction({
  name: "getListener",
  description: "Returns one listener, by its ID or by the name of its cluster.",
  example: { plain: '{ computeId: "eu-west" }' },
  section: "4A",
  args: z.strictObject({
    id: optionalName("ID of the listener. Specify either `id` or `computeId`."),
    computeId: optionalName("Name of the cluster, as registered. Specify either `id` or `computeId`."),
  }),
  exactlyOne: [["id", "computeId"]],
  result: listenerSchema,
  // The list also serves reads by ID, since the interface has no other route for listeners.
  read: async ({ id, computeId }, clients) => {
    const [argument, value] = id === undefined ? (["computeId", computeId ?? ""] as const) : (["id", id] as const);
    return requireOne(
      { noun: "listener", argument, nameOf: (item) => item[argument], idOf: (item) => item.id },
      value,
      await listListeners(clients),
    );
  },
});

export const getListeners = defineFunction({
  name: "getListeners",
  description: "Returns all listeners of the workspace.",
  example: { plain: "" },
  section: "4A",
  args: z.strictObject({}),
  result: z.array(listenerSchema),
  read: (_args, clients) => listListeners(clients),
});

export const getPushToken = defineFunction({
  name: "getPushToken",
  description: "Creates a token for pushing an image, for a deployment of source `internal_docker`.",
  example: { plain: "{ deploymentId, withSecrets: true }", output: "{ deploymentId: agent.id }" },
  args: z.strictObject({
    deploymentId,
    withSecrets: optionalFlag("Whether the result contains the token. Defaults to false."),
  }),
  result: pushTokenSchema,
  secrets: ["token"],
  read: ({ deploymentId }, { sources }) => sources.createPushToken(deploymentId),
});

export const getUploadUrl = defineFunction({
  name: "getUploadUrl",
  description: "Creates a URL for uploading a tarball, for a deployment of source `internal_source`.",
  example: { plain: "{ deploymentId, withSecrets: true }", output: "{ deploymentId: agent.id }" },
  section: "4A",
  args: z.strictObject({
    deploymentId,
    withSecrets: optionalFlag("Whether the result contains the URL. Defaults to false."),
  }),
  result: uploadUrlSchema,
  secrets: ["uploadUrl"],
  read: async ({ deploymentId }, { controlPlane }) => {
    const { url: uploadUrl, objectPath } = await controlPlane.createUpload(deploymentId, { withHeaders: false });
    return { uploadUrl, objectPath };
  },
});
