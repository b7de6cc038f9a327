/** The fields of a deployment and of a revision, as the API and the functions return them. */
import { z } from "zod";
import { fieldMetadata } from "../../schema/schema";
import { type KNOWN_VALUES, knownValue } from "../known-values";
import { resourceSpec } from "./resource-spec";

const text = (what: string) => z.string().optional().describe(what);

/** A source, in the words of the provider whatever the platform calls it. */
const source = z.string().register(fieldMetadata, { vocabularyTerm: true, knownValues: "DeploymentSource" }).optional();

const revisionConfigSchema = z
  .object({
    repoRef: z.string().optional().describe("Branch that was built, or tag as `refs/tags/…`."),
    agentgraphConfigPath: z.string().optional().describe("Path of the graph configuration file within the repository."),
    imageUri: z.string().optional().describe("Container image that runs, including one that was built from source."),
    sourceTarballPath: z.string().optional().describe("Object path of the uploaded source."),
    repoCommitSha: z.string().optional().describe("Commit that was built."),
  })
  .register(fieldMetadata, { interface: "SourceRevisionConfigInfo", description: "What a revision runs." });

export const revisionSchema = z
  .object({
    id: z.string().describe("ID of the revision."),
    status: knownValue("RevisionStatus").describe(
      "Status of the rollout, such as QUEUED, BUILDING, DEPLOYED or DEPLOY_FAILED. A superseded revision keeps DEPLOYED.",
    ),
    source: source.describe("Source of the deployment; absent where the server does not return it."),
    sourceRevisionConfig: revisionConfigSchema.optional().describe("Configuration that the revision runs."),
    createdAt: z.string().optional().describe("Time of creation; absent where the server does not return it."),
    updatedAt: z.string().optional().describe("Time of the last change; absent where the server does not return it."),
  })
  .register(fieldMetadata, { interface: "RevisionInfo", description: "A revision of a deployment." });

const sourceConfigSchema = z
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

/** The fields of a deployment. Enum values are not checked, since a newer server may return others. */
export const deploymentSchema = z.object({
  id: z.string().describe("ID of the deployment."),
  name: z.string().describe("Name of the deployment and of its tracing project."),
  tenantId: text("Workspace that owns it."),
  source: source.describe("Source of the deployment, such as `githost`."),
  status: knownValue("DeploymentStatus").describe(
    "Status of the deployment: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN.",
  ),
  latestRevisionId: text("ID of the latest revision, whatever its status; absent before the first."),
  activeRevisionId: text("ID of the live revision; absent until the first is live."),
  sourceConfig: sourceConfigSchema.optional().describe("Source and runtime configuration."),
  sourceRevisionConfig: revisionConfigSchema.optional().describe("Configuration of the latest revision."),
  secrets: z.array(z.object({ name: z.string(), value: z.string().nullish() })),
  secretReferences: z.array(z.object({ name: z.string(), secretName: z.string(), secretKey: z.string() })),
  imageVersion: text("Version of the platform's base image; absent where the server does not return it."),
  isManagedDeepAgent: z.boolean().describe("Whether the platform manages the agent itself."),
  createdAt: text("Time of creation."),
  updatedAt: text("Time of the last change."),
});

type Fields = z.infer<typeof deploymentSchema>;
type Nullish<T> = { [K in keyof T]?: T[K] | null };
/** The fields that are objects or lists; the interface does not allow null for them. */
interface Parts {
  sourceConfig?: Nullish<z.infer<typeof sourceConfigSchema>>;
  sourceRevisionConfig?: Nullish<z.infer<typeof revisionConfigSchema>>;
  secrets?: Fields["secrets"];
}
const PARTS: Record<keyof Parts, true> = { sourceConfig: true, sourceRevisionConfig: true, secrets: true };
export const isPart = (key: string): boolean => Object.hasOwn(PARTS, key);

export type DeploymentBody = Nullish<Omit<Fields, keyof Parts | "source">> &
  Parts & { source?: (typeof KNOWN_VALUES.DeploymentSource)[number] };
export type Deployment = Omit<DeploymentBody, keyof Identity> & Identity;
type Identity = Pick<Fields, "id" | "name" | "status">;
/** Statuses of a revision that ended without ever being live. */
export const FAILED_STATUSES: ReadonlySet<string> = new Set(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"]);
export type Revision = Pick<DeploymentBody, "sourceRevisionConfig"> & Pick<Identity, "id" | "status">;
