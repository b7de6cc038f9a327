/** Where sources come from and deployments go to (interface section 4 A, interface-notes section 2). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import {
  integrationShape,
  listenerShape,
  pushTokenShape,
  repositoryShape,
  uploadUrlShape,
} from "../api/control-plane/sources";
import { collectAll } from "../api/pagination";
import { once } from "./batch";
import { oneOf } from "./by-name";
import { defineLookup, deploymentId, naming } from "./definition";

const integrations = once(({ sources }: Clients) => sources.listIntegrations());
const listeners = once(({ sources }: Clients) => collectAll(sources.listListeners()));

export const getIntegration = defineLookup({
  name: "getIntegration",
  sentence: "One integration with the git host, by its exact name.",
  example: { plain: '{ name: "my-organization" }' },
  args: z.strictObject({ name: z.string().min(1).describe("Name of the account or organization that installed it.") }),
  answer: integrationShape,
  read: async ({ name }, clients) =>
    oneOf(
      { what: "integration", by: "name", nameOf: (item) => item.name, idOf: (item) => item.id },
      name,
      await integrations(clients),
    ),
});

export const getIntegrations = defineLookup({
  name: "getIntegrations",
  sentence: "All integrations of the workspace with the git host.",
  example: { plain: "" },
  args: z.strictObject({}),
  answer: z.array(integrationShape),
  read: (_args, clients) => integrations(clients),
});

export const getRepositories = defineLookup({
  name: "getRepositories",
  sentence: "All repositories that an integration with the git host may read.",
  example: { plain: "{ integrationId }" },
  args: z.strictObject({ integrationId: z.string().min(1).describe("Id of the integration.") }),
  answer: z.array(repositoryShape),
  read: ({ integrationId }, { sources }) => sources.listRepositories(integrationId),
});

export const getListener = defineLookup({
  name: "getListener",
  sentence: "One listener, by its id or by the cluster it stands in.",
  example: { plain: '{ computeId: "eu-west" }' },
  section: "4A",
  args: z.strictObject({
    id: naming("Its id. This or `computeId`."),
    computeId: naming("Name of its cluster, as the service knows it. This or `id`."),
  }),
  exactlyOne: ["id", "computeId"],
  answer: listenerShape,
  // By id as well from the list, the only route for them that the interface shows.
  read: async ({ id, computeId }, clients) => {
    const [by, wanted] = id === undefined ? (["computeId", computeId ?? ""] as const) : (["id", id] as const);
    return oneOf(
      { what: "listener", by, nameOf: (item) => item[by], idOf: (item) => item.id },
      wanted,
      await listeners(clients),
    );
  },
});

export const getListeners = defineLookup({
  name: "getListeners",
  sentence: "All listeners of the workspace.",
  example: { plain: "" },
  section: "4A",
  args: z.strictObject({}),
  answer: z.array(listenerShape),
  read: (_args, clients) => listeners(clients),
});

export const getPushToken = defineLookup({
  name: "getPushToken",
  sentence: "A new token for pushing an image, for a deployment of source `internal_docker`.",
  example: { plain: "{ deploymentId, withSecrets: true }", output: "{ deploymentId: agent.id }" },
  args: z.strictObject({
    deploymentId,
    withSecrets: z.boolean().optional().describe("Whether the answer holds the token itself; false when absent."),
  }),
  answer: pushTokenShape,
  secrets: ["token"],
  read: ({ deploymentId }, { sources }) => sources.createPushToken(deploymentId),
});

export const getUploadUrl = defineLookup({
  name: "getUploadUrl",
  sentence: "A new URL to upload a tarball to, for a deployment of source `internal_source`.",
  example: { plain: "{ deploymentId, withSecrets: true }", output: "{ deploymentId: agent.id }" },
  section: "4A",
  args: z.strictObject({
    deploymentId,
    withSecrets: z.boolean().optional().describe("Whether the result holds the URL itself; false when absent."),
  }),
  answer: uploadUrlShape,
  secrets: ["uploadUrl"],
  read: async ({ deploymentId }, { controlPlane }) => {
    const { url: uploadUrl, objectPath } = await controlPlane.createUpload(deploymentId, { withHeaders: false });
    return { uploadUrl, objectPath };
  },
});
