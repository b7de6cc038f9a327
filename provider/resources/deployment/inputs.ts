/** What a user writes for a Deployment: one strict object a source (interface section 2, Deployment to ListenerConfig). */
import { z } from "zod";
import { resourceSpec } from "../../api/control-plane/resource-spec";
import { fieldMetadata } from "../../schema/schema";
import {
  commands,
  commonInputs,
  configPathInput,
  environmentName,
  listenerConfig,
  REVISION_CONFIG_DESCRIPTION,
  SOURCE_CONFIG_DESCRIPTION,
  secretReference,
} from "./fields";

// The fields of each source stand in the order in which people write them: `agentgraph adopt` writes them so.
const { name, secrets, ...options } = commonInputs;

const githost = z
  .strictObject({
    name,
    source: z
      .literal("githost")
      .describe("A repository of the git host, built by the cloud service. A change replaces the deployment."),
    sourceConfig: z
      .strictObject({
        integrationId: z
          .guid()
          .optional()
          .describe(
            "Id of the service's integration with the git host that may read the repository; the service decides when absent. A change replaces the deployment.",
          ),
        repoUrl: z.string().min(1).describe("URL of the repository. A change replaces the deployment."),
        deploymentType: z
          .enum(["dev_free", "dev", "prod", "dev_zero"])
          .optional()
          .describe("Size class of the deployment; the service decides when absent. A change replaces the deployment."),
        buildOnPush: z
          .boolean()
          .optional()
          .describe(
            "Whether a push to the branch makes a revision by itself; the service decides when absent. Not with a tag.",
          ),
        ...commands,
      })
      .register(fieldMetadata, { interface: "GithostSourceConfigArgs" })
      .describe("Which repository, and how it is built."),
    sourceRevisionConfig: z
      .strictObject({
        repoRef: z
          .string()
          .min(1)
          .optional()
          .describe(
            "Branch, just its name, or a tag as `refs/tags/…`; the repository's default branch when absent. A change makes a revision.",
          ),
        agentgraphConfigPath: configPathInput("Path of the graph configuration file within the repository."),
      })
      .register(fieldMetadata, { interface: "GithostSourceRevisionConfigArgs" })
      .describe(REVISION_CONFIG_DESCRIPTION),
    secrets,
    ...options,
  })
  .register(fieldMetadata, { interface: "GithostDeploymentArgs" });

const externalDocker = z
  .strictObject({
    name,
    source: z
      .literal("external_docker")
      .describe("A container image from a registry, for self-hosted deployments. A change replaces the deployment."),
    sourceConfig: z
      .strictObject({
        listenerId: z
          .guid()
          .optional()
          .describe(
            "Id of the service's listener in the cluster where the deployment is to run; the service chooses when absent. A change replaces the deployment.",
          ),
        listenerConfig: listenerConfig.optional().describe("Settings for the listener; needs `listenerId`."),
        customUrl: z
          .string()
          .optional()
          .describe(
            "URL at which the agent server is reached; the service chooses when absent. Cannot be cleared once set.",
          ),
        resourceSpec: resourceSpec
          .optional()
          .describe(
            "Replicas, CPU, memory and the pod's own settings; the service's defaults when absent. A change makes a revision.",
          ),
      })
      .register(fieldMetadata, { interface: "ExternalDockerSourceConfigArgs" })
      .optional()
      .describe(SOURCE_CONFIG_DESCRIPTION),
    sourceRevisionConfig: z
      .strictObject({
        imageUri: z.string().min(1).describe("Container image to run, best with a digest. A change makes a revision."),
      })
      .register(fieldMetadata, { interface: "ExternalDockerSourceRevisionConfigArgs" })
      .describe(REVISION_CONFIG_DESCRIPTION),
    secrets,
    secretReferences: z
      .record(environmentName, secretReference)
      .optional()
      .describe(
        "Environment variables filled from orchestrator secrets, by variable name; none when absent. Takes effect with the next revision.",
      ),
    ...options,
  })
  .register(fieldMetadata, { interface: "ExternalDockerDeploymentArgs" });

const internalDocker = z
  .strictObject({
    name,
    source: z
      .literal("internal_docker")
      .describe("An image pushed to the cloud service's own registry. A change replaces the deployment."),
    sourceRevisionConfig: z
      .strictObject({
        imageUri: z
          .string()
          .min(1)
          .optional()
          .describe(
            "Image to run; without one the deployment is made, and nothing runs in it before its first. A change makes a revision.",
          ),
      })
      .register(fieldMetadata, { interface: "InternalDockerSourceRevisionConfigArgs" })
      .optional()
      .describe("What runs; nothing yet when absent."),
    secrets,
    ...options,
  })
  .register(fieldMetadata, { interface: "InternalDockerDeploymentArgs" });

const internalSource = z
  .strictObject({
    name,
    source: z
      .literal("internal_source")
      .describe("A folder of yours, uploaded and built by the cloud service. A change replaces the deployment."),
    sourcePath: z
      .string()
      .min(1)
      .register(fieldMetadata, { compare: "never" })
      .optional()
      .describe(
        "Folder to upload, relative to the program's, without what .gitignore and .agentgraphignore name; or a .tar.gz file that a pipeline packed. Its content is compared, as `sourceDigest`. This or `sourceRevisionConfig.sourceTarballPath`; without both the deployment is created and nothing runs in it yet.",
      ),
    sourceDigest: z
      .string()
      .register(fieldMetadata, { computed: true })
      .optional()
      .describe("Digest of the content of `sourcePath`, the same on every machine. A change makes a revision."),
    sourceConfig: z
      .strictObject(commands)
      .register(fieldMetadata, { interface: "InternalSourceSourceConfigArgs" })
      .optional()
      .describe("How it is built; the service finds out when absent."),
    sourceRevisionConfig: z
      .strictObject({
        agentgraphConfigPath: configPathInput("Path of the graph configuration file within the folder."),
        sourceTarballPath: z
          .string()
          .min(1)
          .optional()
          .describe(
            "Object path of a tarball that a pipeline uploaded itself, as `getUploadUrl` returns it for this deployment; instead of `sourcePath`. A change makes a revision.",
          ),
      })
      .register(fieldMetadata, { interface: "InternalSourceSourceRevisionConfigArgs" })
      .describe(REVISION_CONFIG_DESCRIPTION),
    secrets,
    ...options,
  })
  .register(fieldMetadata, { interface: "InternalSourceDeploymentArgs" });

const internalTemplate = z
  .strictObject({
    name,
    source: z
      .literal("internal_template")
      .describe("A prebuilt template of the cloud service. A change replaces the deployment."),
    secrets,
    ...options,
  })
  .register(fieldMetadata, { interface: "InternalTemplateDeploymentArgs" });

/** The source values of the interface, each with what may be written for it. */
export const variants = [githost, externalDocker, internalDocker, internalSource, internalTemplate] as const;
type Variant = z.infer<(typeof variants)[number]>;
type Part<K extends string> = Variant extends infer B
  ? B extends { [key in K]?: infer P }
    ? NonNullable<P>
    : never
  : never;
type Merged<U> = { [K in U extends unknown ? keyof U : never]?: U extends { [key in K]?: infer V } ? V : never };

/** The inputs of any source in one type: the schema has already told them apart. */
export type Inputs = Pick<Variant, "source" | "name" | keyof typeof commonInputs> & {
  sourceConfig?: Merged<Part<"sourceConfig">>;
  sourceRevisionConfig?: Merged<Part<"sourceRevisionConfig">>;
  secretReferences?: z.infer<typeof externalDocker>["secretReferences"];
  sourcePath?: string;
  sourceDigest?: string;
};

export const inputs = z.discriminatedUnion("source", variants) as unknown as z.ZodType<Inputs>;
