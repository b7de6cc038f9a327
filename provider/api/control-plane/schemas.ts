/** The fields of a deployment and of a revision, as the API and the functions return them. */
import { z } from "zod";
import { fieldMetadata, optionalFlag, optionalText, type PropertyMap } from "../../schema/schema";
import type { Nullish } from "../json-client";
import { type KNOWN_VALUES, knownValue } from "../known-values";
import { resourceSpec } from "./resource-spec";

/** Name of the secret that contains a deployment's ownership marker. It exists on servers, so it never changes. */
export const MARKER = "PULUMI_RESOURCE";

/** A source, in the words of the provider whatever the platform calls it. */
const source = z.string().register(fieldMetadata, { vocabularyTerm: true, knownValues: "DeploymentSource" }).optional();

const revisionConfigSchema = z
  .object({
    repoRef: optionalText("Branch that was built, or tag as `refs/tags/…`."),
    agentgraphConfigPath: optionalText("Path of the graph configuration file within the repository."),
    imageUri: optionalText("Container image that runs, including one that was built from source."),
    sourceTarballPath: optionalText("Object path of the uploaded source."),
    repoCommitSha: optionalText("Commit that was built."),
  })
  .register(fieldMetadata, { interface: "SourceRevisionConfigInfo", description: "What a revision runs." });

export const revisionSchema = z
  .object({
    id: z.string().describe("ID of the revision."),
    status: knownValue("RevisionStatus").describe(
      "Status of the rollout, such as QUEUED, BUILDING, DEPLOYED or DEPLOY_FAILED. A superseded revision " +
        "keeps DEPLOYED.",
    ),
    source: source.describe("Source of the deployment; absent where the server does not return it."),
    sourceRevisionConfig: revisionConfigSchema.optional().describe("Configuration that the revision runs."),
    statusMessage: optionalText("Why the rollout failed; absent where the server does not say it."),
    createdAt: optionalText("Time of creation; absent where the server does not return it."),
    updatedAt: optionalText("Time of the last change; absent where the server does not return it."),
  })
  .register(fieldMetadata, { interface: "RevisionInfo", description: "A revision of a deployment." });

const sourceConfigSchema = z
  .object({
    integrationId: optionalText("ID of the git integration that has access to the repository."),
    repoUrl: optionalText("URL of the repository that is built."),
    deploymentType: knownValue("DeploymentType").optional().describe("Size class."),
    buildOnPush: optionalFlag("Whether a push to the branch creates a revision."),
    customUrl: optionalText("URL of the agent server, where the server returns it here; see `url`."),
    resourceSpec: resourceSpec
      .optional()
      .describe("Replicas, CPU, memory and pod settings, including the server's defaults."),
    listenerId: optionalText("ID of the listener in the cluster where it runs."),
    listenerConfig: z
      .object({ k8sNamespace: optionalText("Namespace of the deployment.") })
      .register(fieldMetadata, {
        interface: "ListenerConfigInfo",
        description: "Settings for the listener of a deployment.",
      })
      .optional()
      .describe("Settings for the listener."),
    installCommand: optionalText("Command that installs the dependencies of a JS deployment."),
    buildCommand: optionalText("Command that builds a JS deployment."),
    templateId: optionalText("ID of the template that it runs."),
    repoBranch: optionalText("Branch that the deployment follows."),
  })
  .register(fieldMetadata, {
    interface: "SourceConfigInfo",
    description: "The source and runtime configuration of a deployment.",
  });

const agentBindingSchema = z
  .object({
    agentId: z.string().describe("ID of the agent."),
    environment: knownValue("AgentEnvironment").describe("Environment of the agent."),
  })
  .register(fieldMetadata, { interface: "AgentBindingInfo", description: "The agent that a deployment runs." });
export type AgentBinding = z.infer<typeof agentBindingSchema>;

/** Returns the name of what an agent has in one of its environments (API `2A.Deployment.agent:project`). */
export const nameOfAgent = ({ agentId, environment }: AgentBinding): string => `${agentId}-${environment}`;

/** The fields of a deployment. Enum values are not checked, since a newer server may return others. */
export const deploymentSchema = z.object({
  id: z.string().describe("ID of the deployment."),
  name: z.string().describe("Name of the deployment and of its tracing project; empty where the server returns none."),
  displayName: optionalText("Name for people."),
  agent: agentBindingSchema.optional().describe("The agent that it runs, in place of a name; absent for others."),
  tenantId: optionalText("Workspace that owns it."),
  source: source.describe("Source of the deployment, such as `githost`."),
  status: knownValue("DeploymentStatus").describe(
    "Status of the deployment: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN.",
  ),
  latestRevisionId: optionalText("ID of the latest revision, whatever its status; absent before the first."),
  activeRevisionId: optionalText("ID of the live revision; absent until the first is live."),
  sourceConfig: sourceConfigSchema.optional().describe("Source and runtime configuration."),
  sourceRevisionConfig: revisionConfigSchema.optional().describe("Configuration of the latest revision."),
  secrets: z.array(z.object({ name: z.string(), value: z.string().nullish() })),
  secretReferences: z.array(z.object({ name: z.string(), secretName: z.string(), secretKey: z.string() })),
  url: optionalText("URL of the agent server; absent until the first revision is live."),
  tracerSessionId: optionalText("ID of its tracing project; absent where the server does not return it."),
  imageVersion: optionalText("Version of the platform's base image; absent where the server does not return it."),
  isPreview: optionalFlag("Whether the platform made it for a change that is not merged yet."),
  isManagedDeepAgent: z.boolean().describe("Whether the platform manages the agent itself."),
  createdAt: optionalText("Time of creation."),
  updatedAt: optionalText("Time of the last change."),
});

type Fields = z.infer<typeof deploymentSchema>;
/** The fields that are objects or lists; the interface does not allow null for them. */
interface Parts {
  sourceConfig?: Nullish<z.infer<typeof sourceConfigSchema>>;
  sourceRevisionConfig?: Nullish<z.infer<typeof revisionConfigSchema>>;
  secrets?: Fields["secrets"];
}
export const PARTS: ReadonlySet<string> = new Set([
  "sourceConfig",
  "sourceRevisionConfig",
  "secrets",
] satisfies (keyof Parts)[]);

export type DeploymentBody = Nullish<Omit<Fields, keyof Parts | "source">> &
  Parts & { extra?: PropertyMap; source?: (typeof KNOWN_VALUES.DeploymentSource)[number] };
export type Deployment = Omit<DeploymentBody, keyof Identity> &
  Identity & {
    /** Why an item of a list has nothing but what identifies it: a field of it has a form that is not known. */
    unreadable?: Error;
  };
type Identity = Pick<Fields, "id" | "name" | "status">;
export type Revision = Pick<DeploymentBody, "sourceRevisionConfig"> &
  Pick<Identity, "id" | "status"> &
  Nullish<Pick<z.infer<typeof revisionSchema>, "statusMessage">>;

/**
 * Whether a deployment is being deleted: the server has accepted it, and keeps the name until the end. The words differ
 * between servers: AWAITING_DELETE, AWAITING_FINAL_DELETE, DELETING (API `3.Deployment status:deleting`).
 */
export const isDeleting = ({ status }: Pick<Deployment, "status">): boolean =>
  /DELET/i.test(status) && !/FAIL|ERROR/i.test(status);
/** Statuses of a revision that ended without ever being live. */
export const FAILED_STATUSES: ReadonlySet<string> = new Set(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"]);

/** Whether a reference is the commit that it stood for (API `2A.SourceRevisionConfig.repo_ref:commit`). */
export const isCommit = (ref: string | null | undefined): boolean => /^[0-9a-f]{40}$/.test(ref ?? "");

/** Returns the fields that servers show in different places. */
export function normalized(remote: Nullish<Deployment>): Partial<Deployment> {
  const { secrets, sourceConfig, sourceRevisionConfig, ...rest } = remote;
  const isResolved = isCommit(sourceRevisionConfig?.repoRef);
  // Before the first revision, an empty list may hide secrets (API `2A.Deployment.secrets:hidden`).
  const isHidden = secrets?.length === 0 && rest.latestRevisionId == null && rest.source?.startsWith("internal_");
  const isWithoutAgent = !rest.agent?.agentId || !rest.agent.environment;
  return {
    url: sourceConfig?.customUrl || rest.url,
    ...(isWithoutAgent && { agent: undefined }),
    ...(isHidden && { secrets: undefined }),
    ...(isResolved && { sourceRevisionConfig: { ...sourceRevisionConfig, repoRef: sourceConfig?.repoBranch } }),
  };
}
