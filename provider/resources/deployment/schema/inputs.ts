/** Inputs of a Deployment: one strict object for each source (API `2A`). */
import { z } from "zod";
import { secretReference } from "../../../api/control-plane/pod";
import type { RunScope } from "../../../definition/context";
import { fieldsOf, pathsOf } from "../../../schema/fields";
import { fieldMetadata, optionalFlag, optionalName, optionalText } from "../../../schema/schema";
import { computeDigest } from "../source/source-module";
import {
  BUILD_CONFIG_DESCRIPTION,
  cloudConfig,
  commands,
  commonInputs,
  configPathInput,
  deploymentType,
  environmentName,
  listenerConfig,
  MAKE_REVISIONS,
  REVISION_CONFIG_DESCRIPTION,
  resourceSpecInput,
  SOURCE_CONFIG_DESCRIPTION,
  sourceInput,
} from "./fields";

// The fields of each source are in the order in which people write them. `agentgraph adopt` uses this order.
const { name, ...options } = commonInputs;
const { secrets, environment, ...others } = options;

/** The next revision is built from the new repository (API `2A.SourceConfig.repo_url:moved`). */
const MOVES = { feature: "moves-repositories", change: { replaces: undefined, effect: "nextRevision" } } as const;

const githost = z
  .strictObject({
    name,
    source: sourceInput("githost", "A repository of the git host, built by the cloud service."),
    sourceConfig: z
      .strictObject({
        integrationId: z
          .guid()
          .optional()
          .describe(
            "ID of the integration with the git host that can read the repository. Defaults to the server's " +
              "choice. A change replaces the deployment, except on platforms that move repositories.",
          )
          .register(fieldMetadata, { replaces: true, where: MOVES, compare: "uuid" }),
        repoUrl: z
          .string()
          .min(1)
          .describe(
            "URL of the repository. A change replaces the deployment, except on platforms that move " +
              "repositories: see the setting `platform`.",
          )
          .register(fieldMetadata, { replaces: true, where: MOVES, compare: "repository" }),
        deploymentType,
        buildOnPush: optionalFlag(
          "Whether a push to the branch creates a revision. Defaults to the server's choice. Cannot be true " +
            "with a tag.",
        ),
        resourceSpec: resourceSpecInput,
        ...commands,
      })
      .register(fieldMetadata, { interface: "GithostSourceConfigArgs" })
      .describe("The repository and how it is built."),
    sourceRevisionConfig: z
      .strictObject({
        repoRef: optionalName(
          "Name of a branch, or a tag as `refs/tags/…`. Defaults to the default branch of the repository. A " +
            "change creates a revision.",
        ).register(fieldMetadata, { shown: true }),
        agentgraphConfigPath: configPathInput("Path of the graph configuration file within the repository."),
      })
      .register(fieldMetadata, { interface: "GithostSourceRevisionConfigArgs", effect: "newRevision" })
      .describe(REVISION_CONFIG_DESCRIPTION),
    ...options,
  })
  .register(fieldMetadata, { interface: "GithostDeploymentArgs" });

const externalDocker = z
  .strictObject({
    name,
    source: sourceInput("external_docker", "A container image from a registry, for self-hosted deployments."),
    sourceConfig: z
      .strictObject({
        listenerId: z
          .guid()
          .optional()
          .describe(
            "ID of the listener in the cluster where the deployment runs. Defaults to the server's choice. A " +
              "change replaces the deployment.",
          )
          .register(fieldMetadata, { replaces: true, compare: "uuid" }),
        listenerConfig: listenerConfig.optional().describe("Settings for the listener. Requires `listenerId`."),
        customUrl: optionalText(
          "URL of the agent server. Defaults to a URL that the server assigns. Cannot be removed once set.",
        ),
        resourceSpec: resourceSpecInput,
        ...commands,
      })
      .register(fieldMetadata, { interface: "ExternalDockerSourceConfigArgs" })
      .optional()
      .describe(SOURCE_CONFIG_DESCRIPTION),
    sourceRevisionConfig: z
      .strictObject({
        imageUri: z
          .string()
          .min(1)
          .describe("Container image to run, preferably with a digest. A change creates a revision.")
          .register(fieldMetadata, { shown: true }),
      })
      .register(fieldMetadata, { interface: "ExternalDockerSourceRevisionConfigArgs", effect: "newRevision" })
      .describe(REVISION_CONFIG_DESCRIPTION),
    secrets,
    environment,
    secretReferences: z
      .record(environmentName, secretReference)
      .optional()
      .describe(
        "Environment variables from orchestrator secrets, by variable name. Defaults to none. LangSmith creates a " +
          "revision for a change; elsewhere it takes effect with the next one.",
      )
      .register(fieldMetadata, { comparedIfAbsent: true, effect: "nextRevision", where: MAKE_REVISIONS }),
    ...others,
  })
  .register(fieldMetadata, { interface: "ExternalDockerDeploymentArgs" });

const internalDocker = z
  .strictObject({
    name,
    source: sourceInput("internal_docker", "An image in the registry of the cloud service."),
    sourceConfig: z
      .strictObject(cloudConfig)
      .register(fieldMetadata, { interface: "InternalDockerSourceConfigArgs" })
      .optional()
      .describe(BUILD_CONFIG_DESCRIPTION),
    sourceRevisionConfig: z
      .strictObject({
        imageUri: optionalName(
          "Image to run. Without it, the deployment is created and nothing runs until the first image is " +
            "deployed. A change creates a revision.",
        ).register(fieldMetadata, { shown: true }),
      })
      .register(fieldMetadata, { interface: "InternalDockerSourceRevisionConfigArgs", effect: "newRevision" })
      .optional()
      .describe("What runs. Defaults to nothing."),
    ...options,
  })
  .register(fieldMetadata, { interface: "InternalDockerDeploymentArgs" });

const internalSource = z
  .strictObject({
    name,
    source: sourceInput("internal_source", "A local folder, uploaded to and built by the cloud service."),
    sourcePath: z
      .string()
      .min(1)
      .register(fieldMetadata, { compare: "never" })
      .optional()
      .describe(
        "Folder to upload, relative to the program's folder and without files that .gitignore and " +
          ".agentgraphignore exclude, or a .tar.gz file of at most 200 MiB. Its content is compared, as " +
          "`sourceDigest`. Specify this or `sourceRevisionConfig.sourceTarballPath`; without either, the " +
          "deployment is created and nothing runs yet.",
      ),
    sourceDigest: z
      .string()
      .register(fieldMetadata, {
        computed: { from: "sourcePath", compute: (folder, scope) => computeDigest(String(folder), scope as RunScope) },
        effect: "newRevision",
      })
      .optional()
      .describe("Digest of the content of `sourcePath`, the same on every machine. A change creates a revision."),
    sourceConfig: z
      .strictObject(cloudConfig)
      .register(fieldMetadata, { interface: "InternalSourceSourceConfigArgs" })
      .optional()
      .describe(BUILD_CONFIG_DESCRIPTION),
    sourceRevisionConfig: z
      .strictObject({
        agentgraphConfigPath: configPathInput("Path of the graph configuration file within the folder."),
        sourceTarballPath: optionalName(
          "Object path of a tarball that a pipeline uploaded, as `getUploadUrl` returns it for this " +
            "deployment. An alternative to `sourcePath`. A change creates a revision.",
        ),
      })
      .register(fieldMetadata, { interface: "InternalSourceSourceRevisionConfigArgs", effect: "newRevision" })
      .describe(REVISION_CONFIG_DESCRIPTION),
    ...options,
  })
  .register(fieldMetadata, { interface: "InternalSourceDeploymentArgs" });

const internalTemplate = z
  .strictObject({
    name,
    source: sourceInput("internal_template", "A prebuilt template of the cloud service."),
    sourceConfig: z
      .strictObject({
        templateId: optionalName(
          "ID of the template. Defaults to the server's choice; some servers require it. A change replaces " +
            "the deployment.",
        ).register(fieldMetadata, { replaces: true }),
        ...cloudConfig,
      })
      .register(fieldMetadata, { interface: "InternalTemplateSourceConfigArgs" })
      .optional()
      .describe(BUILD_CONFIG_DESCRIPTION),
    ...options,
  })
  .register(fieldMetadata, { interface: "InternalTemplateDeploymentArgs" });

/** The sources of the interface, each with its inputs. */
export const variants = [githost, externalDocker, internalDocker, internalSource, internalTemplate] as const;
type Variant = z.infer<(typeof variants)[number]>;
type Part<K extends string> = Variant extends infer B
  ? B extends { [key in K]?: infer P }
    ? NonNullable<P>
    : never
  : never;
type Merged<U> = { [K in U extends unknown ? keyof U : never]?: U extends { [key in K]?: infer V } ? V : never };

/** The inputs of all sources in one type; the schema validates them by source. */
export type Inputs = Pick<Variant, "source" | "name" | keyof typeof commonInputs> & {
  sourceConfig?: Merged<Part<"sourceConfig">>;
  sourceRevisionConfig?: Merged<Part<"sourceRevisionConfig">>;
  secretReferences?: z.infer<typeof externalDocker>["secretReferences"];
  sourcePath?: string;
  sourceDigest?: string;
};

export const inputs = z.discriminatedUnion("source", variants) as unknown as z.ZodType<Inputs>;

export const SPEC = "sourceConfig.resourceSpec";
export const COMMANDS = ["sourceConfig.installCommand", "sourceConfig.buildCommand"] as const;
/** What makes a revision on some platforms (API `2A.SourceConfig.install_command:revision`). */
export const MAY_REVISE = [...COMMANDS, "secretReferences"] as const;

/** Paths whose change requires a new deployment (API `2A`). */
export const IMMUTABLE = pathsOf({ fields: fieldsOf(inputs) }, ({ replaces }) => replaces);
