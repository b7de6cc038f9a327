/** What a user writes for a Deployment: one strict object a source (interface section 2, Deployment to ListenerConfig). */
import { z } from "zod";
import { resourceSpec } from "../../api/resource-spec";
import { marks } from "../../definition";

/** The secret that marks a deployment as made by one resource of one stack. */
export const MARKER = "PULUMI_RESOURCE";

const environmentName = z
  .string()
  .min(1)
  .refine((name) => name !== MARKER, "is kept for the ownership marker; use another name");

const listenerConfig = z
  .strictObject({
    k8sNamespace: z
      .string()
      .optional()
      .describe("Namespace to deploy to; the listener's own when absent. A change replaces the deployment."),
  })
  .register(marks, { interface: "ListenerConfigArgs" });

const secretReference = z
  .strictObject({
    secretName: z.string().describe("Name of an existing orchestrator secret in the deployment's namespace."),
    secretKey: z.string().describe("Key within that secret."),
  })
  .register(marks, { interface: "SecretReferenceArgs" });

const name = z
  .string()
  .min(1)
  .describe(
    "Name of the deployment and of its tracing project, unique in the workspace; from the setting `nameTemplate` when absent. A change replaces the deployment.",
  );

/** Options of ours and the fields that every source has. */
const common = {
  name,
  secrets: z
    .record(environmentName, z.string())
    .optional()
    .describe(
      "Environment variables of the container by name, kept secret; none when absent. A change makes a revision.",
    ),
  waitFor: z
    .enum(["deployed", "healthy", "none"])
    .optional()
    .describe(
      "What create and update wait for: the newest revision DEPLOYED and active (`deployed`, when absent), the agent server's `/ok` as well (`healthy`), or nothing (`none`).",
    ),
  redeployTriggers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Any change here deploys the same content again, for example after a referenced secret was rotated; nothing when absent.",
    ),
  rollbackOnFailure: z
    .boolean()
    .optional()
    .describe(
      "Whether the last good revision is deployed again when an update's revision fails; the update still fails. False when absent.",
    ),
};

const commands = {
  installCommand: z
    .string()
    .optional()
    .describe(
      "JS deployments: installs dependencies, run from the repository root; found from the lock file when absent. Takes effect with the next revision.",
    ),
  buildCommand: z
    .string()
    .optional()
    .describe(
      "JS deployments: builds, run from the folder of the graph configuration; none when absent. Takes effect with the next revision.",
    ),
};

const configPath = (what: string) => z.string().min(1).describe(`${what} A change makes a revision.`);
const revisionConfig = "What runs.";
const place = "Where and how it runs; the service's defaults when absent.";

const githost = z
  .strictObject({
    source: z
      .literal("githost")
      .describe("A repository of the git host, built by the cloud service. A change replaces the deployment."),
    ...common,
    sourceConfig: z
      .strictObject({
        integrationId: z
          .uuid()
          .optional()
          .describe(
            "Installation of the git host's integration that may read the repository. A change replaces the deployment.",
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
      .register(marks, { interface: "GithostSourceConfigArgs" })
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
        agentgraphConfigPath: configPath("Path of the graph configuration file within the repository."),
      })
      .register(marks, { interface: "GithostSourceRevisionConfigArgs" })
      .describe(revisionConfig),
  })
  .register(marks, { interface: "GithostDeploymentArgs" });

const externalDocker = z
  .strictObject({
    source: z
      .literal("external_docker")
      .describe("A container image from a registry, for self-hosted deployments. A change replaces the deployment."),
    ...common,
    sourceConfig: z
      .strictObject({
        listenerId: z
          .uuid()
          .optional()
          .describe(
            "Listener that runs the deployment; the service chooses when absent. A change replaces the deployment.",
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
      .register(marks, { interface: "ExternalDockerSourceConfigArgs" })
      .optional()
      .describe(place),
    sourceRevisionConfig: z
      .strictObject({
        imageUri: z.string().min(1).describe("Container image to run, best with a digest. A change makes a revision."),
      })
      .register(marks, { interface: "ExternalDockerSourceRevisionConfigArgs" })
      .describe(revisionConfig),
    secretReferences: z
      .record(environmentName, secretReference)
      .optional()
      .describe(
        "Environment variables filled from orchestrator secrets, by variable name; none when absent. Takes effect with the next revision.",
      ),
  })
  .register(marks, { interface: "ExternalDockerDeploymentArgs" });

const internalDocker = z
  .strictObject({
    source: z
      .literal("internal_docker")
      .describe("An image pushed to the cloud service's own registry. A change replaces the deployment."),
    ...common,
    sourceRevisionConfig: z
      .strictObject({
        imageUri: z
          .string()
          .min(1)
          .optional()
          .describe(
            "Image to run; without one the deployment is made and waits for its first. A change makes a revision.",
          ),
      })
      .register(marks, { interface: "InternalDockerSourceRevisionConfigArgs" })
      .optional()
      .describe("What runs; nothing yet when absent."),
  })
  .register(marks, { interface: "InternalDockerDeploymentArgs" });

const internalTemplate = z
  .strictObject({
    source: z
      .literal("internal_template")
      .describe("A prebuilt template of the cloud service. A change replaces the deployment."),
    ...common,
  })
  .register(marks, { interface: "InternalTemplateDeploymentArgs" });

/** The source values of the interface, each with what may be written for it. */
const branches = [githost, externalDocker, internalDocker, internalTemplate] as const;
type Branch = z.infer<(typeof branches)[number]>;
type Part<K extends string> = Branch extends infer B
  ? B extends { [key in K]?: infer P }
    ? NonNullable<P>
    : never
  : never;
type Merged<U> = { [K in U extends unknown ? keyof U : never]?: U extends { [key in K]?: infer V } ? V : never };

/** The inputs of any source in one type: the schema has already told them apart. */
export type Inputs = Pick<Branch, "source" | "name" | keyof typeof common> & {
  sourceConfig?: Merged<Part<"sourceConfig">>;
  sourceRevisionConfig?: Merged<Part<"sourceRevisionConfig">>;
  secretReferences?: z.infer<typeof externalDocker>["secretReferences"];
};

export const inputs = z.discriminatedUnion("source", branches) as unknown as z.ZodType<Inputs>;
