/** Inputs and outputs of every object on an agent server. */
import { z } from "zod";
import { errorRule, type Rule } from "../definition/rules";
import { toOutputs } from "../schema/mapping";
import { fieldMetadata, optionalFlag, optionalText } from "../schema/schema";
import type { OwnedState } from "./kind";
import type { AgentEndpoint, EndpointInputs } from "./server/endpoint";

/**
 * Returns the inputs that name the agent server.
 * @param noun What the object is, such as `thread`.
 * @param loss What a replacement of it discards, such as `discards its history`.
 */
export const endpointInputs = (noun: string, loss: string) => ({
  deploymentId: z
    .guid()
    .optional()
    .describe(
      `ID of the deployment whose agent server stores the ${noun}. Specify this or \`deploymentUrl\`. A ` +
        `change replaces the ${noun} and ${loss}.`,
    )
    .register(fieldMetadata, {
      replaces: true,
      compare: "uuid",
      container: "id",
      reference: { kind: "Deployment", output: "id", reason: "its deployment is replaced" },
    }),
  deploymentUrl: z
    .url()
    .optional()
    .describe(
      "Base URL of the agent server, including its path, for a server outside the control plane. Takes " +
        `precedence over \`deploymentId\`. A change replaces the ${noun} and ${loss}.`,
    )
    .register(fieldMetadata, {
      compare: "url",
      replaces: true,
      container: "url",
      reference: {
        kind: "Deployment",
        output: "url",
        reason: "its deployment is replaced",
        condition: "if it is another server",
      },
    }),
});

/** The inputs name one server, by a URL that is safe to store. */
export const endpointRules: Rule<EndpointInputs>[] = [
  errorRule(["deploymentId", "deploymentUrl"], ({ deploymentId, deploymentUrl }) =>
    deploymentId === undefined && deploymentUrl === undefined
      ? "is missing: specify the ID of a deployment, or deploymentUrl."
      : undefined,
  ),
  errorRule(["deploymentUrl"], ({ deploymentUrl }) => {
    if (deploymentUrl === undefined) return undefined;
    const { protocol, search, hash, username, password, origin, pathname } = new URL(deploymentUrl);
    if (!/^https?:$/.test(protocol)) return `is not a valid URL of a server; expected https://host, not ${protocol}`;
    if (username || password)
      return "must not contain a user name or password, because state would store them: use agentHeaders instead.";
    return search || hash ? `must not have a query or a fragment; use ${origin}${pathname}` : undefined;
  }),
];

/** Returns the input that makes others secret. @param what Those inputs, such as `metadata and supersteps`. */
export const sensitiveInput = (what: string) =>
  optionalFlag(
    `Whether to treat ${what} as secrets: encrypted in state and hidden in previews. Defaults to false. Has ` +
      "no effect on the server.",
  ).register(fieldMetadata, { effect: "none" });

/** Returns the input that requests an ID. @param origin What the default derives from, beside the resource name. */
export const idInput = (noun: string, origin: string) =>
  z
    .guid()
    .optional()
    .describe(
      `Requested ID of the ${noun}, a UUID. Defaults to one derived from the resource name and ${origin}. The ` +
        `output of this name always contains the ID. A change replaces the ${noun}; without it, an existing ` +
        `${noun} is kept.`,
    )
    .register(fieldMetadata, { compare: "givenUuid", replaces: true, defaultsToId: true });

/** Returns the input that allows to delete crons of others. @param place Where they are, such as `of the assistant`. */
export const foreignCronsInput = (place: string) =>
  optionalFlag(
    `Whether a destroy or replacement may delete crons ${place} that this stack does not manage: servers ` +
      "delete them with it. Defaults to false, and such a cron is an error. Has no effect on the server until " +
      "then.",
  ).register(fieldMetadata, { effect: "none" });

/** Returns the outputs that name the agent server. @param noun What the object is, such as `thread`. */
export const endpointOutputs = (noun: string) => ({
  url: z
    .string()
    .describe(`Base URL of the agent server that stores the ${noun}.`)
    .register(fieldMetadata, { contains: ["deploymentUrl"] }),
  tenantId: optionalText("ID of the workspace that owns the deployment; absent with `deploymentUrl`.").register(
    fieldMetadata,
    { stable: {} },
  ),
});

export const stateOf =
  <S extends OwnedState>(outputs: z.ZodType<S>) =>
  /** @param endpoint Undefined when no request was sent: then the server is the one in state. */
  (remote: object, endpoint: AgentEndpoint | undefined, previous: Partial<S> = {}): S => ({
    ...toOutputs(outputs, remote, previous),
    url: endpoint?.server.url ?? previous.url ?? "",
    tenantId: endpoint ? endpoint.tenantId : previous.tenantId,
  });
