// A policy against revisions in production that nobody has checked.
import type { ResourceValidationPolicy } from "@pulumi/policy";
import { isDeploymentOf, stacks } from "./resources";

export const verifiedRollouts: ResourceValidationPolicy = {
  name: "verified-rollouts",
  description: "In production, checks follow each rollout, so that a revision that fails them does not stay live.",
  enforcementLevel: "mandatory",
  configSchema: { properties: { stacks } },
  validateResource: (args, reportViolation) => {
    if (!isDeploymentOf(args)) return;
    const { verify, rollbackOnFailure } = args.props;
    if (!verify?.length) reportViolation("Add at least one check to verify, such as a question to the agent.");
    if (rollbackOnFailure === false)
      reportViolation("Remove rollbackOnFailure: with false, a revision that fails its checks stays live.");
  },
};
