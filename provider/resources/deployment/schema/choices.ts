/** What a platform chooses in place of what is declared, which is not a difference. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { derivedValue, type ResourceSpec, resourceSpec } from "../../../api/control-plane/resource-spec";
import { isEqual } from "../../../schema/compare";
import { valueAt } from "../../../schema/schema";
import { type Inputs, SPEC } from "./inputs";

/**
 * The paid size class that a program declares, by the free one that a server assigns in its place (API
 * `2A.SourceConfig.deployment_type:free`).
 */
export const PAID_CLASS: ReadonlyMap<unknown, string> = new Map([
  ["dev_free", "dev"],
  ["dev_free_zero", "dev_zero"],
]);

/** By path, the numbers that the server chose in place of what was sent, or beside it. */
export type Chosen = Readonly<Record<string, number>>;

/** Whether a server holds what it chose itself. */
export const isChosen = (path: string, value: unknown, chosen: Chosen = {}) =>
  value !== undefined && value === chosen[path];

/** Returns what the server chose in a specification, such as limits, or more replicas than were sent. */
export function findChosen({ sourceConfig }: RemoteDeployment, sent: ResourceSpec = {}): Chosen {
  const spec = sourceConfig?.resourceSpec ?? {};
  const entries = Object.entries(spec).flatMap(([key, value]) => {
    const field = key as keyof ResourceSpec;
    // A derived value follows its base.
    const expected = sent[field] ?? derivedValue(spec, field);
    const isOwn = typeof value !== "number" || isEqual(resourceSpec.shape[field], value, expected);
    return isOwn ? [] : [[`${SPEC}.${field}`, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns a specification without what the server chose, so that it chooses again. */
export const withoutChosen = (spec: ResourceSpec, chosen: Chosen | undefined): ResourceSpec =>
  Object.fromEntries(Object.entries(spec).filter(([field, value]) => !isChosen(`${SPEC}.${field}`, value, chosen)));

/** Returns the configuration with the declared values where the platform chose others. */
export function chosenConfig(
  { sourceConfig }: RemoteDeployment,
  declared: Inputs,
  chosen: Chosen | undefined,
): RemoteDeployment["sourceConfig"] {
  if (!sourceConfig) return sourceConfig;
  const { deploymentType, resourceSpec: spec = {} } = declared.sourceConfig ?? {};
  const isAssigned = deploymentType != null && PAID_CLASS.get(sourceConfig.deploymentType) === deploymentType;
  const held = sourceConfig.resourceSpec;
  const own = Object.entries(spec).filter(([field]) => isChosen(`${SPEC}.${field}`, valueAt(held, field), chosen));
  return {
    ...sourceConfig,
    ...(isAssigned && { deploymentType }),
    ...(held && { resourceSpec: { ...held, ...Object.fromEntries(own) } }),
  };
}
