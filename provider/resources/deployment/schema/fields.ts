/** Inputs that several sources of a Deployment share (API `2A`). */
import { z } from "zod";
import { resourceSpec } from "../../../api/control-plane/resource-spec";
import { MARKER, nameOfAgent } from "../../../api/control-plane/schemas";
import { knownValue } from "../../../api/known-values";
import { extraInput } from "../../../schema/extra";
import { fieldMetadata, optionalFlag, optionalName, optionalText } from "../../../schema/schema";
import { computeVerifyDigest } from "../verify/questions";
import { keepConversations } from "./keep";
import { type Check, checks, verifyDigest } from "./verify";

export const environmentName = z
  .string()
  .min(1, "has an entry with an empty name; use the name of an environment variable")
  .refine((name) => name !== MARKER, "is reserved for the ownership marker; use another name");

export function sourceInput<T extends string>(source: T, description: string) {
  const input = z.literal(source).describe(`${description} A change of the source replaces the deployment.`);
  fieldMetadata.add(input, { replaces: true });
  return input;
}

export const listenerConfig = z
  .strictObject({
    k8sNamespace: optionalText(
      "Namespace to deploy to. Defaults to the namespace of the listener. A change replaces the deployment.",
    ).register(fieldMetadata, { replaces: true }),
  })
  .register(fieldMetadata, {
    interface: "ListenerConfigArgs",
    description: "Settings for the listener of a deployment.",
  });

/** Size class; a server may know others, and require one (API `2A.SourceConfig.deployment_type:required`). */
export const deploymentType = knownValue("DeploymentType")
  .optional()
  .describe(
    "Size class of the deployment, such as `dev`, `prod` or `dev_zero`. Defaults to the server's choice; some " +
      "servers require it. A change replaces the deployment.",
  )
  .register(fieldMetadata, { replaces: true, compare: "caseless" });

export const resourceSpecInput = resourceSpec
  .optional()
  .describe("Replicas, CPU, memory and pod settings. Defaults to the server's settings. A change creates a revision.")
  .register(fieldMetadata, { effect: "newRevision", shown: true });

/** What names a deployment that runs an agent of the platform (API `2A.Deployment.agent`). */
const agentBinding = z
  .strictObject({
    agentId: z
      .string()
      .min(1)
      .describe("ID of the agent. A change replaces the deployment.")
      .register(fieldMetadata, { replaces: true, shown: true }),
    environment: knownValue("AgentEnvironment")
      .describe("Environment of the agent, such as `production`. A change replaces the deployment.")
      .register(fieldMetadata, { replaces: true, shown: true }),
  })
  .register(fieldMetadata, {
    interface: "AgentBindingArgs",
    description: "The agent that a deployment runs, and the environment of the agent.",
  });

function nameOfBinding(value: unknown): string | undefined {
  const { data } = agentBinding.safeParse(value);
  return data && nameOfAgent(data);
}

const name = z
  .string()
  .min(1)
  .describe(
    "Name of the deployment and of its tracing project, unique in the workspace. Defaults to the name of the " +
      "resource at its creation, which is then kept, and with `agent` to `<agentId>-<environment>`. A change " +
      "replaces the deployment.",
  )
  .register(fieldMetadata, {
    ...{ replaces: true, shown: true },
    defaultsToName: { input: "agent", nameOf: nameOfBinding },
    contains: ["agent"],
    where: { feature: "deletes-in-a-week", change: { isReserved: true } },
  });

/** What a deletion is with `forceDelete` (API `4A.DELETE:force`). */
export const FORCED = "at once and for good, also where the platform keeps the database for a week";

/** Options of the provider and fields that every source has. */
export const commonInputs = {
  name,
  secrets: z
    .record(environmentName, z.string())
    .optional()
    .describe(
      "Environment variables of the container by name, stored as secrets. Defaults to none. A change creates " +
        "a revision.",
    )
    .register(fieldMetadata, {
      ...{ comparedIfAbsent: true, secret: true, effect: "newRevision", sharesNamesWith: "environment" },
    }),
  environment: z
    .record(environmentName, z.string())
    .optional()
    .describe(
      "Environment variables of the container that are not secret, by name: state, previews and policies show " +
        "their values. No name may also be in `secrets`. Defaults to none. A change creates a revision.",
    )
    .register(fieldMetadata, { effect: "newRevision", shown: true, sharesNamesWith: "secrets" }),
  agent: agentBinding
    .optional()
    .describe(
      "The agent that the deployment runs in one of its environments, in place of a name, on platforms with " +
        "agents. Defaults to none. A change replaces the deployment.",
    )
    .register(fieldMetadata, { replaces: true }),
  forceDelete: optionalFlag(
    "Whether a destroy ends at once what the platform would keep for a week: the database with its threads. " +
      "The name stays reserved. Defaults to false.",
  ).register(fieldMetadata, { effect: "none", valueEffects: { true: `a removal deletes ${FORCED}` } }),
  displayName: optionalName(
    "Name for people. Defaults to the server's choice. Changes in place. Cannot be removed once set.",
  ),
  imageVersion: z
    .string()
    .min(1)
    // Before it was an input, state stored the reported version under this name.
    .register(fieldMetadata, { compare: "given" })
    .optional()
    .describe(
      "Version of the platform's base image. Defaults to the server's choice. Changes in place. Cannot be " +
        "removed once set.",
    ),
  extra: extraInput("Servers may make a revision of a change.", { effect: "newRevision" }),
  waitFor: z
    .enum(["deployed", "healthy", "none"])
    .optional()
    .describe(
      "What create and update wait for: the latest revision to be DEPLOYED and active (`deployed`), the agent " +
        "server to return success for `/ok` as well (`healthy`), or nothing (`none`). Defaults to `deployed`.",
    )
    .register(fieldMetadata, { meaningWhenAbsent: "deployed", effect: "none" }),
  redeployTriggers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Arbitrary values by name: any change redeploys the same configuration, for example after a referenced " +
        "secret was rotated. Defaults to none.",
    )
    .register(fieldMetadata, { effect: "newRevision", writeOnly: "assumed" }),
  verify: checks,
  verifyDigest: verifyDigest.register(fieldMetadata, {
    computed: { from: "verify", compute: (value) => computeVerifyDigest(value as Check[]) },
    effect: "verification",
  }),
  rollbackOnFailure: optionalFlag(
    "Whether to redeploy the last good revision when the revision of an update fails, does not become healthy " +
      'with `waitFor: "healthy"`, or fails a check of `verify`: with `verify`, the last verified one. The ' +
      "update still fails. Defaults to true with `verify` once a revision is verified, and to false otherwise.",
  ).register(fieldMetadata, { effect: "none" }),
  keepConversations,
};

/** API `2A.SourceConfig.install_command:revision`, `2A.Deployment.secret_references:revision`. */
export const MAKE_REVISIONS = { feature: "commands-make-revisions", change: { effect: "newRevision" } } as const;

export const commands = {
  installCommand: optionalText(
    "Command that installs the dependencies of a JS deployment, run in the repository root. Defaults to a " +
      "command for the lock file. Takes effect with the next revision.",
  ).register(fieldMetadata, { effect: "nextRevision", where: MAKE_REVISIONS }),
  buildCommand: optionalText(
    "Command that builds a JS deployment, run in the folder of the graph configuration. Defaults to none. " +
      "Takes effect with the next revision.",
  ).register(fieldMetadata, { effect: "nextRevision", where: MAKE_REVISIONS }),
};

/** What all sources of the cloud have that are not a repository. */
export const cloudConfig = { deploymentType, resourceSpec: resourceSpecInput, ...commands };

export const configPathInput = (description: string) =>
  z.string().min(1).describe(`${description} A change creates a revision.`).register(fieldMetadata, { shown: true });
export const REVISION_CONFIG_DESCRIPTION = "What runs. A change creates a revision.";
export const BUILD_CONFIG_DESCRIPTION = "How the source is built. Defaults to what the server detects.";
export const SOURCE_CONFIG_DESCRIPTION = "Where and how it runs. Defaults to the server's settings.";
