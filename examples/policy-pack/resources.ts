// How policies recognize the resources of this package.
import type { ResourceValidationArgs } from "@pulumi/policy";

/** Returns the kind of a resource, such as `Deployment`, of the dynamic or of the native provider. */
export const kindOf = ({ type }: ResourceValidationArgs): string | undefined =>
  /^(?:pulumi-nodejs:dynamic\/agentgraph|agentgraph:index):(\w+)$/.exec(type)?.[1];

/** Configuration of the policies of production: the names of their stacks. */
export const stacks = { type: "array", items: { type: "string" }, default: ["production"] } as const;

/** Whether a resource is a deployment of one of the `stacks` in the configuration of the policy. */
export const isDeploymentOf = (args: ResourceValidationArgs): boolean =>
  kindOf(args) === "Deployment" && args.getConfig<{ stacks: string[] }>().stacks.includes(stackOf(args));

/** Returns the name of the stack, such as `production` in `urn:pulumi:production::agents::…`. */
const stackOf = ({ urn }: ResourceValidationArgs) => urn.split(":")[2] ?? "";
