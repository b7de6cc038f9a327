/** Where sources come from and deployments go to: one method an endpoint (interface section 4 A, interface-notes section 2). */
import { z } from "zod";
import type { HttpClient } from "../../http/client";
import { pathSegment } from "../../schema/id";
import { fieldMetadata } from "../../schema/schema";
import type { CaseMapper } from "../case-mapper";
import { type DeepPartialNullable, JsonClient } from "../json-client";
import type { Pages } from "../pagination";

export const integrationSchema = z
  .object({
    id: z.string().describe("Id, as `integrationId` of a deployment's `sourceConfig` takes it."),
    installationId: z.number().optional().describe("Number of the installation at the git host itself."),
    name: z.string().optional().describe("Name of the account or organization that installed it."),
  })
  .register(fieldMetadata, { interface: "IntegrationInfo" });

export const repositorySchema = z
  .object({
    id: z.number().optional().describe("Number of the repository at the git host."),
    name: z.string().optional().describe("Name, without the owner."),
    owner: z.string().optional().describe("Account or organization that owns it."),
    url: z.string().optional().describe("Address, as `repoUrl` of a deployment's `sourceConfig` takes it."),
    defaultBranch: z.string().optional().describe("The branch that is deployed where no `repoRef` names another."),
    hostIntegrationId: z.string().optional().describe("Id of the integration that may read it."),
  })
  .register(fieldMetadata, { interface: "RepositoryInfo" });

export const listenerSchema = z
  .object({
    id: z.string().describe("Id, as `listenerId` of a deployment's `sourceConfig` takes it."),
    computeType: z.string().optional().describe("What it deploys to: `k8s`, or another word of the service."),
    computeId: z.string().optional().describe("Name of the cluster it stands in, as the service knows it."),
    computeConfig: z
      .object({
        k8sNamespaces: z.array(z.string()).optional().describe("Namespaces that it may deploy to."),
      })
      .register(fieldMetadata, { interface: "ComputeConfigInfo" })
      .optional()
      .describe("Where in the cluster it may deploy."),
  })
  .register(fieldMetadata, { interface: "ListenerInfo" });

export const pushTokenSchema = z
  .object({
    token: z
      .string()
      .optional()
      .describe("Password for the registry. Secret; a plain look-up needs `withSecrets: true` for it."),
    username: z.string().optional().describe("User that the password belongs to, where the service tells one."),
    registryUrl: z.string().optional().describe("Registry to log in to."),
    repositoryUrl: z.string().optional().describe("Where in it to push, where the service tells it; a tag follows."),
  })
  .register(fieldMetadata, { interface: "PushTokenInfo" });

export const uploadUrlSchema = z
  .object({
    uploadUrl: z
      .string()
      .optional()
      .describe(
        "Signed URL to PUT the .tar.gz file to, with the header `Content-Type: application/gzip`. Secret; the plain form needs `withSecrets: true` for it.",
      ),
    objectPath: z.string().describe("Path to declare as `sourceRevisionConfig.sourceTarballPath` after the upload."),
  })
  .register(fieldMetadata, { interface: "UploadUrlInfo" });

const INTEGRATIONS = "/v1/integrations/githost";

export class SourceClient {
  private readonly json: JsonClient;

  constructor(http: HttpClient, caseMapper: CaseMapper) {
    this.json = new JsonClient(http, caseMapper, "Is controlPlaneUrl correct?");
  }

  /** All of the workspace. */
  listIntegrations(): Promise<DeepPartialNullable<z.infer<typeof integrationSchema>>[]> {
    return this.json.getList(integrationSchema, { method: "GET", path: `${INTEGRATIONS}/install` });
  }

  /** All that an integration may read. Optional route. */
  listRepositories(integrationId: string): Promise<DeepPartialNullable<z.infer<typeof repositorySchema>>[]> {
    const path = `${INTEGRATIONS}/${pathSegment(integrationId)}/repos`;
    return this.json.getList(repositorySchema, { method: "GET", path });
  }

  listListeners(): Pages<DeepPartialNullable<z.infer<typeof listenerSchema>>> {
    const request = { method: "GET", path: "/v2/listeners" } as const;
    return this.json.paginate("listeners", request, (item) => this.json.decode(listenerSchema, request, item));
  }

  /** A new token for pushing an image, for a deployment of source `internal_docker` only. Optional route. */
  createPushToken(deploymentId: string): Promise<DeepPartialNullable<z.infer<typeof pushTokenSchema>>> {
    const path = `/v2/deployments/${pathSegment(deploymentId)}/push-token`;
    return this.json.getObject(pushTokenSchema, { method: "POST", path, body: { supports_registry_username: true } });
  }
}
