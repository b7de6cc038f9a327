/** Git integrations, listeners and push tokens: one method per endpoint (API `4A`). */
import { z } from "zod";
import { pathSegment } from "../../schema/id";
import { fieldMetadata, optionalText } from "../../schema/schema";
import type { DeepPartialNullable, JsonClient } from "../json-client";
import type { Pages } from "../pagination";

export const integrationSchema = z
  .object({
    id: z.string().describe("ID of the integration, for `sourceConfig.integrationId` of a deployment."),
    installationId: z.number().optional().describe("ID of the installation at the git host."),
    name: optionalText("Name of the account or organization that installed the integration."),
  })
  .register(fieldMetadata, { interface: "IntegrationInfo", description: "An integration with the git host." });

export const repositorySchema = z
  .object({
    id: z.number().optional().describe("ID of the repository at the git host."),
    name: optionalText("Name of the repository, without the owner."),
    owner: optionalText("Account or organization that owns the repository."),
    url: optionalText("URL of the repository, for `sourceConfig.repoUrl` of a deployment."),
    defaultBranch: optionalText("Branch that is deployed unless `repoRef` is set."),
    hostIntegrationId: optionalText("ID of the integration that has access to the repository."),
  })
  .register(fieldMetadata, {
    interface: "RepositoryInfo",
    description: "A repository that an integration has access to.",
  });

export const listenerSchema = z
  .object({
    id: z.string().describe("ID of the listener, for `sourceConfig.listenerId` of a deployment."),
    computeType: optionalText("Type of compute, such as `k8s`."),
    computeId: optionalText("Name of the cluster that the listener runs in, as registered."),
    computeConfig: z
      .object({ k8sNamespaces: z.array(z.string()).optional().describe("Namespaces that the listener may deploy to.") })
      .register(fieldMetadata, { interface: "ComputeConfigInfo", description: "The cluster of a listener." })
      .optional()
      .describe("Where in the cluster the listener may deploy."),
  })
  .register(fieldMetadata, {
    interface: "ListenerInfo",
    description: "A listener, which runs deployments in its cluster.",
  });

export const pushTokenSchema = z
  .object({
    token: optionalText("Password for the registry. Secret. Returned only with `withSecrets: true`."),
    username: optionalText("User name for the registry; absent where the server does not return one."),
    registryUrl: optionalText("URL of the registry to log in to."),
    repositoryUrl: optionalText("Repository to push to; append a tag. Absent where the server does not return one."),
  })
  .register(fieldMetadata, { interface: "PushTokenInfo" });

export const uploadUrlSchema = z
  .object({
    uploadUrl: optionalText(
      "Signed URL to PUT the .tar.gz file to, with the header `Content-Type: application/gzip`. Secret. " +
        "Returned only with `withSecrets: true`.",
    ),
    objectPath: z
      .string()
      .describe("Path of the upload, for `sourceRevisionConfig.sourceTarballPath` of a deployment."),
  })
  .register(fieldMetadata, { interface: "UploadUrlInfo" });

const INTEGRATIONS = "/v1/integrations/githost";

export class SourceClient {
  constructor(private readonly json: JsonClient) {}

  listIntegrations(): Promise<DeepPartialNullable<z.infer<typeof integrationSchema>>[]> {
    return this.json.getList(integrationSchema, { method: "GET", path: `${INTEGRATIONS}/install` });
  }

  /** Lists the repositories that an integration has access to. Optional route. */
  listRepositories(integrationId: string): Promise<DeepPartialNullable<z.infer<typeof repositorySchema>>[]> {
    const path = `${INTEGRATIONS}/${pathSegment(integrationId)}/repos`;
    return this.json.getList(repositorySchema, { method: "GET", path });
  }

  listListeners(): Pages<DeepPartialNullable<z.infer<typeof listenerSchema>>> {
    const request = { method: "GET", path: "/v2/listeners" } as const;
    return this.json.paginate("listeners", request, (item) => this.json.decode(listenerSchema, request, item));
  }

  /** Creates a token for pushing an image, for a deployment of source `internal_docker` only. Optional route. */
  createPushToken(deploymentId: string): Promise<DeepPartialNullable<z.infer<typeof pushTokenSchema>>> {
    const path = `/v2/deployments/${pathSegment(deploymentId)}/push-token`;
    return this.json.getObject(pushTokenSchema, { method: "POST", path, body: { supports_registry_username: true } });
  }
}
