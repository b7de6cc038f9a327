/** Determines which declared values count as applied although the response omits them (API `10A.not-returned`). */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { derivedValue, type ResourceSpec } from "../../../api/control-plane/resource-spec";
import { type IsApplied, isEqual, mergeRemote } from "../../../schema/compare";
import { matchesPath, schemaAt, valueAt, variantFor } from "../../../schema/schema";
import { IMMUTABLE, type Inputs, inputs } from "../schema/inputs";

export const schemaOf = (desired: Inputs) => variantFor({ inputs }, desired) ?? inputs;

/** Options for reading a response. */
export interface ReadOptions {
  /**
   * Whether it was created as declared. Then a null for an immutable field only means that the server does not return it;
   * treating it as removed would replace the deployment and lose its database.
   */
  isManaged?: boolean;
  /** Paths that the server did not return right after they were sent; undefined if that is unknown. */
  notReturned?: readonly string[] | undefined;
}

/** Returns the inputs in a response, except for secrets. */
export const configOf = ({ name, source, sourceConfig, sourceRevisionConfig, imageVersion }: RemoteDeployment) => ({
  name,
  source,
  sourceConfig,
  sourceRevisionConfig,
  imageVersion: imageVersion ?? undefined,
});

const SPEC = "sourceConfig.resourceSpec";
/** Fields that a server may not return although it stores them. A custom URL is empty until the first revision is live. */
const MAY_BE_HIDDEN = ["customUrl", "listenerConfig", "installCommand", "buildCommand"].map(
  (field) => `sourceConfig.${field}`,
);

/** Returns a check for which declared values count as applied although the response omits them. */
export function createAppliedCheck(
  remote: RemoteDeployment,
  declared: Inputs,
  { isManaged = false, notReturned }: ReadOptions,
): IsApplied {
  return (path, server) => {
    if (isDerived(path, remote, declared)) return true;
    if (isManaged && isImmutable(path)) return true;
    // A spec is returned as a whole, so its missing fields are absent. Other omitted fields mean nothing.
    const isOmitted = server === undefined && !(matchesPath(path, SPEC) && remote.sourceConfig?.resourceSpec);
    if (isOmitted) return true;
    return (notReturned ?? MAY_BE_HIDDEN).some((pattern) => matchesPath(path, pattern));
  };
}

export const isImmutable = (path: string) => IMMUTABLE.some((pattern) => matchesPath(path, pattern));

/** Whether the server derives exactly this value from what it returns. */
function isDerived(path: string, { sourceConfig }: RemoteDeployment, declared: Inputs): boolean {
  if (!path.startsWith(`${SPEC}.`)) return false;
  const field = path.slice(SPEC.length + 1) as keyof ResourceSpec;
  return isEqual(
    schemaAt(schemaOf(declared), path),
    derivedValue(sourceConfig?.resourceSpec ?? {}, field),
    valueAt(declared, path),
  );
}

/**
 * Returns the declared paths that the server does not return although this request or an earlier one sent them. Other
 * missing paths may have been removed, which a refresh detects.
 */
export function findNotReturned(
  remote: RemoteDeployment,
  declared: Inputs,
  request: DeploymentBody,
  previouslyNotReturned: readonly string[] = MAY_BE_HIDDEN,
): string[] {
  const isSent = (path: string) => valueAt(request, path.split(".").slice(0, 2)) !== undefined;
  const isKnown = (path: string) => previouslyNotReturned.some((pattern) => matchesPath(path, pattern));
  return findMissingPaths(remote, declared).filter((path) => isSent(path) || isKnown(path));
}

/** Returns the declared paths that the response omits. */
export function findMissingPaths(remote: RemoteDeployment, declared: Inputs): string[] {
  const missing: string[] = [];
  mergeRemote(schemaOf(declared), declared, configOf(remote), (path) => {
    if (path.startsWith("source") && path.includes(".") && !isDerived(path, remote, declared)) missing.push(path);
    return true;
  });
  return missing;
}
