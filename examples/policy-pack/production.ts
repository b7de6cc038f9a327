// Policies for what runs in production.
import type { ResourceValidationPolicy } from "@pulumi/policy";
import { isDeploymentOf, stacks } from "./resources";

export const digestPinnedImages: ResourceValidationPolicy = {
  name: "digest-pinned-images",
  description: "In production, images have a digest, because a tag can be moved to another image.",
  enforcementLevel: "mandatory",
  configSchema: { properties: { stacks } },
  validateResource: (args, reportViolation) => {
    const image = args.props.sourceRevisionConfig?.imageUri;
    if (isDeploymentOf(args) && image && !/@sha256:[0-9a-f]{64}$/.test(image))
      reportViolation(`Add the digest to imageUri ${image}, as in image@sha256:<digest>.`);
  },
};

export const minimumScale: ResourceValidationPolicy = {
  name: "minimum-scale",
  description: "In production, agents have several replicas, so that they survive the loss of a node.",
  enforcementLevel: "mandatory",
  configSchema: { properties: { stacks, minScale: { type: "integer", minimum: 1, default: 2 } } },
  validateResource: (args, reportViolation) => {
    // The platform scales the deployments of all other sources.
    if (!isDeploymentOf(args) || args.props.source !== "external_docker") return;
    const { minScale } = args.getConfig<{ minScale: number }>();
    const actual = args.props.sourceConfig?.resourceSpec?.minScale;
    if ((actual ?? 0) < minScale)
      reportViolation(`Set sourceConfig.resourceSpec.minScale to ${minScale} or more; it is ${actual ?? "not set"}.`);
  },
};
