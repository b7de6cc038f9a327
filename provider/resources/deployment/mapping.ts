/** Converts between the inputs and state of a Deployment and the objects of the API. */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../api/control-plane/client";
import { MARKER } from "../../api/control-plane/ownership-marker";
import { mergeSpec } from "../../api/control-plane/resource-spec";
import type { UpdateRequest } from "../../definition/results";
import { diffPaths, isEqual, mergeRemote } from "../../schema/compare";
import { fieldsAt, getOwn, schemaAt, valueAt } from "../../schema/schema";
import { configOf, createAppliedCheck, type ReadOptions, schemaOf } from "./response/omitted-fields";
import type { Inputs } from "./schema/inputs";
import type { State } from "./schema/outputs";

export type RevisionConfig = NonNullable<DeploymentBody["sourceRevisionConfig"]>;

/** Returns the revision fields that this source supports, without those that a build added. */
export function pickRevisionConfig(
  remoteValue: RemoteDeployment["sourceRevisionConfig"],
  desired: Inputs,
): RevisionConfig {
  const fields = fieldsAt(schemaOf(desired), "sourceRevisionConfig");
  return Object.fromEntries(fields.map((field) => [field, valueAt(remoteValue, field) ?? undefined]));
}

/** Returns the declared inputs with the server's values; undeclared server defaults do not count as a difference. */
export function toInputs(remote: RemoteDeployment, declared: Inputs, options: ReadOptions = {}): Inputs {
  return {
    ...mergeRemote(schemaOf(declared), declared, configOf(remote), createAppliedCheck(remote, declared, options)),
    ...mergeRemoteSecrets(remote, declared),
    ...mergeRemoteReferences(remote, declared),
  };
}

/** Returns the paths at which the server differs from the desired inputs. */
export const driftPaths = (remote: RemoteDeployment, desired: Inputs) =>
  diffPaths(schemaOf(desired), toInputs(remote, desired), desired);

export function mergeRemoteSecrets(remote: RemoteDeployment, declared: Inputs): Pick<Inputs, "secrets"> {
  if (!remote.secrets || isMasked(remote)) return mergeMaskedSecrets(remote, declared);
  const remoteValue = Object.fromEntries(userSecrets(remote).map(({ name, value }) => [name, value ?? ""]));
  return declared.secrets === undefined && Object.keys(remoteValue).length === 0 ? {} : { secrets: remoteValue };
}

/** Merges masked secrets by name: a missing or new name is drift, and its value is unknown. */
function mergeMaskedSecrets(remote: RemoteDeployment, { secrets }: Inputs): Pick<Inputs, "secrets"> {
  if (!remote.secrets) return { secrets };
  const names = userSecrets(remote).map(({ name }) => name);
  return secrets === undefined && names.length === 0
    ? {}
    : { secrets: Object.fromEntries(names.map((name) => [name, getOwn(secrets ?? {}, name) ?? ""])) };
}

export function mergeRemoteReferences(
  { secretReferences }: RemoteDeployment,
  declared: Inputs,
): Pick<Inputs, "secretReferences"> {
  if (secretReferences === undefined) return { secretReferences: declared.secretReferences };
  const remoteValue = Object.fromEntries(
    (secretReferences ?? []).map(({ name, secretName, secretKey }) => [name, { secretName, secretKey }]),
  );
  return declared.secretReferences === undefined && Object.keys(remoteValue).length === 0
    ? {}
    : { secretReferences: remoteValue };
}

const userSecrets = (remote: RemoteDeployment) => (remote.secrets ?? []).filter(({ name }) => name !== MARKER);
/** Returns the ownership marker; undefined if there is none or the server masks it. */
export const markerIn = (remote: RemoteDeployment) =>
  isMasked(remote) ? undefined : (remote.secrets?.find(({ name }) => name === MARKER)?.value ?? undefined);
/** Whether the server masks secret values. The marker decides if it exists, because a user's value may look like a mask. */
export const isMasked = ({ secrets = [] }: RemoteDeployment) => {
  const marker = secrets.filter(({ name }) => name === MARKER);
  const relevant = marker.length > 0 ? marker : secrets;
  return relevant.length > 0 && relevant.every(({ value }) => value == null || /^[*•]+$/.test(value));
};

/** Returns the values of the remote secrets, which no message may contain. */
export const secretValuesIn = (remote: RemoteDeployment): string[] =>
  userSecrets(remote).map(({ value }) => value ?? "");

const secretList = (secrets: Inputs["secrets"], marker: string | undefined) => [
  ...Object.entries(secrets ?? {}).map(([name, value]) => ({ name, value })),
  ...(marker === undefined ? [] : [{ name: MARKER, value: marker }]),
];
const referenceList = (references: Inputs["secretReferences"]) =>
  Object.entries(references ?? {}).map(([name, reference]) => ({ name, ...reference }));

export function toCreateRequest(desired: Inputs, marker: string | undefined): DeploymentBody {
  const { source, sourceConfig, sourceRevisionConfig, secretReferences } = desired;
  return {
    name: desired.name,
    source,
    imageVersion: desired.imageVersion,
    sourceConfig: {
      ...sourceConfig,
      // Servers require the object for images, even if it is empty (API `2A.ResourceSpec:required`).
      ...(source === "external_docker" && { resourceSpec: sourceConfig?.resourceSpec ?? {} }),
      ...(sourceRevisionConfig?.repoRef?.startsWith("refs/tags/") && { buildOnPush: false }),
    },
    sourceRevisionConfig: sourceRevisionConfig ?? {},
    secrets: secretList(desired.secrets, marker),
    ...(secretReferences && { secretReferences: referenceList(secretReferences) }),
  };
}

/** Returns the changes that the server does not have yet; undefined when there are none. */
export function toUpdateRequest(
  change: UpdateRequest<Inputs, State>,
  remote: RemoteDeployment,
  marker: string | undefined,
): DeploymentBody | undefined {
  const { inputs: desired, previous, paths } = change;
  const drifted = new Set(driftPaths(remote, desired));
  const changed = paths.filter((path) =>
    path.startsWith("source") ? !isApplied(path, change, remote) : drifted.has(path) || isOmitted(path, remote),
  );
  const config: Record<string, unknown> = pickChanged(desired.sourceConfig, changed, "sourceConfig");
  if (hasPathUnder(changed, "sourceConfig.resourceSpec")) {
    config.resourceSpec = mergeSpec(
      remote.sourceConfig?.resourceSpec ?? {},
      previous.sourceConfig?.resourceSpec ?? {},
      desired.sourceConfig?.resourceSpec ?? {},
    );
  }
  const revision = pickChanged(desired.sourceRevisionConfig, changed, "sourceRevisionConfig");
  if (revision.repoRef?.startsWith("refs/tags/") && remote.sourceConfig?.buildOnPush) config.buildOnPush = false;
  const body: DeploymentBody = {
    ...(changed.includes("imageVersion") && { imageVersion: desired.imageVersion }),
    ...(Object.keys(config).length > 0 && { sourceConfig: config }),
    ...(Object.keys(revision).length > 0 && { sourceRevisionConfig: revision }),
    ...((hasPathUnder(changed, "secrets") || (isMasked(remote) && hasPathUnder(paths, "secrets"))) && {
      secrets: secretList(desired.secrets, marker),
    }),
    ...(hasPathUnder(changed, "secretReferences") && { secretReferences: referenceList(desired.secretReferences) }),
  };
  return Object.keys(body).length === 0 ? undefined : body;
}

/**
 * Whether the server already has the desired value, or no longer has the previous one. An omitted value counts as not
 * applied. A map is compared as a whole, because its keys may contain dots.
 */
function isApplied(
  path: string,
  { inputs: desired, previous }: UpdateRequest<Inputs, State>,
  remote: RemoteDeployment,
): boolean {
  const depth = path.startsWith("sourceConfig.resourceSpec.") ? 3 : 2;
  const field = path.split(".").slice(0, depth).join(".");
  const schema = schemaAt(schemaOf(desired), field);
  const [remoteValue, desiredValue] = [valueAt(remote, field), valueAt(desired, field)];
  return desiredValue === undefined
    ? !isEqual(schema, remoteValue, valueAt(previous, field))
    : isEqual(schema, remoteValue, desiredValue);
}

/** Whether the response omits a field completely. */
const isOmitted = (path: string, remote: RemoteDeployment) =>
  (hasPathUnder([path], "secrets") && !remote.secrets) ||
  (hasPathUnder([path], "secretReferences") && remote.secretReferences === undefined) ||
  (path === "imageVersion" && remote.imageVersion == null);

/** Returns the changed fields of an object. */
function pickChanged<T extends object>(object: T | undefined, changed: readonly string[], path: string): Partial<T> {
  const entries = Object.entries(object ?? {}).filter(([key]) => changed.includes(`${path}.${key}`));
  return Object.fromEntries(entries) as Partial<T>;
}

export const hasPathUnder = (paths: readonly string[], prefix: string) =>
  paths.some((path) => path === prefix || path.startsWith(`${prefix}.`));
