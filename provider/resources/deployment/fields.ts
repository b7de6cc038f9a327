/** Fields that several sources of a Deployment share (interface section 2). */
import { z } from "zod";
import { MARKER } from "../../api/control-plane/ownership-marker";
import { fieldMetadata } from "../../schema/schema";

/** Paths whose change needs a new deployment (interface section 2, "immutable", "cannot be changed"). */
export const IMMUTABLE = [
  "name",
  "source",
  "sourceConfig.integrationId",
  "sourceConfig.repoUrl",
  "sourceConfig.deploymentType",
  "sourceConfig.listenerId",
  "sourceConfig.listenerConfig.k8sNamespace",
];

export const environmentName = z
  .string()
  .min(1, "has an entry with an empty name: write the name of an environment variable")
  .refine((name) => name !== MARKER, "is kept for the ownership marker; use another name");

export const listenerConfig = z
  .strictObject({
    k8sNamespace: z
      .string()
      .optional()
      .describe("Namespace to deploy to; the listener's own when absent. A change replaces the deployment."),
  })
  .register(fieldMetadata, { interface: "ListenerConfigArgs" });

export const secretReference = z
  .strictObject({
    secretName: z.string().describe("Name of an existing orchestrator secret in the deployment's namespace."),
    secretKey: z.string().describe("Key within that secret."),
  })
  .register(fieldMetadata, { interface: "SecretReferenceArgs" });

const name = z
  .string()
  .min(1)
  .describe(
    "Name of the deployment and of its tracing project, unique in the workspace; chosen by the setting `nameTemplate` when absent, and then kept. A change replaces the deployment.",
  );

/** Options of ours and the fields that every source has. */
export const commonInputs = {
  name,
  secrets: z
    .record(environmentName, z.string())
    .optional()
    .describe(
      "Environment variables of the container by name, kept secret; none when absent. A change makes a revision.",
    ),
  imageVersion: z
    .string()
    .min(1)
    // Before it was an input, state held under this name what the server said.
    .register(fieldMetadata, { compare: "given" })
    .optional()
    .describe(
      "Version of the platform's base image; the server chooses when absent. Changes in place. Cannot be cleared once set.",
    ),
  waitFor: z
    .enum(["deployed", "healthy", "none"])
    .register(fieldMetadata, { meaningWhenAbsent: "deployed" })
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
      "Whether the last good revision is deployed again when the revision of an update fails, or does not become healthy under `waitFor`; the update still fails. False when absent.",
    ),
};

export const commands = {
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

export const configPathInput = (description: string) =>
  z.string().min(1).describe(`${description} A change makes a revision.`);
export const REVISION_CONFIG_DESCRIPTION = "What runs; each change of it makes a revision.";
export const SOURCE_CONFIG_DESCRIPTION = "Where and how it runs; the service's defaults when absent.";
