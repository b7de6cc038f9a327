// A policy against the loss of data in production.
import type { ResourceValidationPolicy } from "@pulumi/policy";
import { isDeploymentOf, stacks } from "./resources";

export const protectedDeployments: ResourceValidationPolicy = {
  name: "protected-deployments",
  description: "In production, deployments are protected, because their database and threads are deleted with them.",
  // To replace a deployment on purpose, one has to remove `protect` first.
  enforcementLevel: "advisory",
  configSchema: { properties: { stacks } },
  validateResource: (args, reportViolation) => {
    if (isDeploymentOf(args) && !args.opts.protect) reportViolation("Add the resource option `protect: true`.");
  },
};
