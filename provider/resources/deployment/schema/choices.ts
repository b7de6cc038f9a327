/** What a platform chooses in place of what is declared, which is not a difference. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Inputs } from "./inputs";

/**
 * The paid size class that a program declares, by the free one that a server assigns in its place (API
 * `2A.SourceConfig.deployment_type:free`).
 */
export const PAID_CLASS: ReadonlyMap<unknown, string> = new Map([
  ["dev_free", "dev"],
  ["dev_free_zero", "dev_zero"],
]);

/** Replicas of a dedicated deployment, of which the platform runs more (API `2A.ResourceSpec.min_scale:dedicated`). */
const DEDICATED_REPLICAS = 2;

/** Returns the configuration with the declared values where the platform chose a free size class or the replicas. */
export function chosenConfig(
  { source, sourceConfig }: RemoteDeployment,
  declared: Inputs,
): RemoteDeployment["sourceConfig"] {
  if (!sourceConfig) return sourceConfig;
  const { deploymentType, resourceSpec: spec } = declared.sourceConfig ?? {};
  const isAssigned = deploymentType != null && PAID_CLASS.get(sourceConfig.deploymentType) === deploymentType;
  const isDedicated = sourceConfig.deploymentType === "prod" && source !== "external_docker";
  const held = sourceConfig.resourceSpec;
  const raised = (["minScale", "maxScale"] as const).filter(
    (key) => spec?.[key] === 1 && held?.[key] === DEDICATED_REPLICAS,
  );
  const isRaised = isDedicated && raised.length > 0;
  return {
    ...sourceConfig,
    ...(isAssigned && { deploymentType }),
    ...(isRaised && { resourceSpec: { ...held, ...Object.fromEntries(raised.map((key) => [key, 1])) } }),
  };
}
