/** Builds the bodies of requests from the inputs of a Deployment. */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { specOfOthers } from "../../../api/control-plane/resource-spec";
import { MARKER } from "../../../api/control-plane/schemas";
import type { Context, UpdateRequest } from "../../../definition/context";
import { isEqual } from "../../../schema/compare";
import { missingExtra, receivedOf, withExtra } from "../../../schema/extra";
import { isPropertyMap, type PropertyMap, schemaAt, valueAt } from "../../../schema/schema";
import { snakeCase } from "../../../text/format";
import { type Chosen, withoutChosen } from "../schema/choices";
import { type Inputs, MAY_REVISE } from "../schema/inputs";
import type { State } from "../schema/outputs";
import { isMasked, looksMasked, markerIn, userSecrets } from "./marker";
import { driftPaths, schemaOf } from "./response";

export type Change = UpdateRequest<Inputs, State> & { chosen?: Chosen | undefined };

/** Servers have one list of environment variables, secret or not. */
const variableList = ({ secrets, environment }: Inputs, marker: string | undefined) => [
  ...Object.entries({ ...secrets, ...environment }).map(([name, value]) => ({ name, value })),
  ...(marker === undefined ? [] : [{ name: MARKER, value: marker }]),
];
const referenceList = (references: Inputs["secretReferences"]) =>
  Object.entries(references ?? {}).map(([name, reference]) => ({ name, ...reference }));

/**
 * Returns the list of an update, which replaces all variables: what the program does not change stays as it is on the
 * server, since others may have added or rotated it. Assumed: a server whose marker is readable shows other values too,
 * but for what it masks by name.
 */
function updatedVariables({ inputs, paths }: Change, remote: RemoteDeployment, marker: string | undefined) {
  const changed = new Set(paths.map(variableOf));
  const held = markerIn(remote)?.includes("urn:pulumi:") ? userSecrets(remote) : [];
  const declared = variableList(inputs, marker);
  const isDeclared = (name: string) => declared.some((one) => one.name === name);
  const kept = held.filter(
    ({ name, value }) => value != null && !changed.has(`secrets.${name}`) && !(isDeclared(name) && looksMasked(value)),
  );
  return [...new Map([...declared, ...kept].map((one) => [one.name, one])).values()];
}

/** What a program removes from the environment counts as a secret that it does not declare. */
export const variableOf = (path: string) => path.replace(/^environment\./, "secrets.");

export function toCreateRequest(desired: Inputs, marker: string | undefined): DeploymentBody {
  const { source, sourceConfig, sourceRevisionConfig, secretReferences } = desired;
  return {
    ...(desired.agent ? { agent: desired.agent } : { name: desired.name }),
    source,
    imageVersion: desired.imageVersion,
    sourceConfig: {
      ...sourceConfig,
      // Servers require the object for images, even if it is empty (API `2A.ResourceSpec:required`).
      ...(source === "external_docker" && { resourceSpec: sourceConfig?.resourceSpec ?? {} }),
      ...(sourceRevisionConfig?.repoRef?.startsWith("refs/tags/") && { buildOnPush: false }),
    },
    sourceRevisionConfig: sourceRevisionConfig ?? {},
    secrets: variableList(desired, marker),
    ...(secretReferences && { secretReferences: referenceList(secretReferences) }),
    ...(desired.extra && { extra: desired.extra }),
  };
}

const EXTRA_SPEC = "source_config.resource_spec";

/** Returns the changes that the server does not have yet; undefined when there are none. */
export function toUpdateRequest(
  change: Change,
  remote: RemoteDeployment,
  marker: string | undefined,
): DeploymentBody | undefined {
  const { inputs: desired, previous, paths } = change;
  const drifted = new Set(driftPaths(remote, desired).map(variableOf));
  const changed = paths.filter((path) =>
    path.startsWith("source")
      ? !isUpToDate(path, change, remote)
      : drifted.has(variableOf(path)) || isOmitted(path, remote),
  );
  const config: Record<string, unknown> = pickChanged(desired.sourceConfig, changed, "sourceConfig");
  let extra = missingExtra(previous.extra, desired.extra, receivedOf(remote));
  if (hasPathUnder(changed, "sourceConfig.resourceSpec") || valueAt(extra, EXTRA_SPEC) !== undefined) {
    // A PATCH overwrites the whole specification, so it contains all of both.
    const further = valueAt(desired.extra, EXTRA_SPEC);
    if (isPropertyMap(further)) extra = withExtra({ source_config: { resource_spec: further } }, extra) as PropertyMap;
    const others = specOfOthers(remote.sourceConfig?.resourceSpec ?? {}, previous.sourceConfig?.resourceSpec);
    const merged = { ...withoutChosen(others, change.chosen), ...desired.sourceConfig?.resourceSpec };
    const entries = Object.entries(merged).filter(([key]) => !Object.hasOwn(further ?? {}, snakeCase(key)));
    config.resourceSpec = Object.fromEntries(entries);
  }
  const revision = pickChanged(desired.sourceRevisionConfig, changed, "sourceRevisionConfig");
  // A tag requires it (API `2A.SourceRevisionConfig.repo_ref:tag`), and servers may not return it.
  if (revision.repoRef?.startsWith("refs/tags/") && remote.sourceConfig?.buildOnPush !== false)
    config.buildOnPush = false;
  const body: DeploymentBody = {
    ...(changed.includes("imageVersion") && { imageVersion: desired.imageVersion }),
    ...(changed.includes("displayName") && { displayName: desired.displayName }),
    ...(Object.keys(config).length > 0 && { sourceConfig: config }),
    ...(Object.keys(revision).length > 0 && { sourceRevisionConfig: revision }),
    ...((hasVariable(changed) || (isMasked(remote) && hasVariable(paths))) && {
      secrets: updatedVariables(change, remote, marker),
    }),
    ...(hasPathUnder(changed, "secretReferences") && { secretReferences: referenceList(desired.secretReferences) }),
    ...(extra && { extra }),
  };
  return Object.keys(body).length === 0 ? undefined : body;
}

/** Whether the server has the desired value, or no longer the previous one. Maps as a whole: keys may contain dots. */
function isUpToDate(path: string, { inputs: desired, previous }: Change, remote: RemoteDeployment): boolean {
  const depth = path.startsWith("sourceConfig.resourceSpec.") ? 3 : 2;
  const field = path.split(".").slice(0, depth).join(".");
  const schema = schemaAt(schemaOf(desired), field);
  const [remoteValue, desiredValue] = [valueAt(remote, field), valueAt(desired, field)];
  return desiredValue === undefined
    ? !isEqual(schema, remoteValue, valueAt(previous, field))
    : isEqual(schema, remoteValue, desiredValue);
}

const isOmitted = (path: string, remote: RemoteDeployment) =>
  (hasVariable([path]) && !remote.secrets?.length) ||
  (hasPathUnder([path], "secretReferences") && remote.secretReferences === undefined) ||
  (path === "imageVersion" && remote.imageVersion == null) ||
  (path === "displayName" && remote.displayName == null);

function pickChanged<T extends object>(object: T | undefined, changed: readonly string[], path: string): Partial<T> {
  const entries = Object.entries(object ?? {}).filter(([key]) => changed.includes(`${path}.${key}`));
  return Object.fromEntries(entries) as Partial<T>;
}

/** Whether the inputs contain something to run, for sources that can be created without content. */
export const hasContent = ({ sourcePath, sourceRevisionConfig }: Partial<Inputs>): boolean =>
  [sourcePath, sourceRevisionConfig?.imageUri, sourceRevisionConfig?.sourceTarballPath].some(
    (content) => content !== undefined,
  );

/** Whether a deployment is declared without content, so that others push it, or nothing runs yet. */
export const declaresNoContent = (desired: Partial<Inputs>): boolean =>
  /^internal_(docker|source)$/.test(desired.source ?? "") && !hasContent(desired);

/** Whether a change of these paths makes a revision without a redeploy (API `3.1`). */
export function changesRevision(paths: readonly string[], { clients }: Context): boolean {
  const more = clients.controlPlane.profile.has("commands-make-revisions") ? MAY_REVISE : [];
  const prefixes = ["sourceConfig.resourceSpec", "sourceRevisionConfig", "sourceDigest", ...more];
  return hasVariable(paths) || prefixes.some((prefix) => hasPathUnder(paths, prefix));
}

/** Whether one of the paths is an environment variable of the server's list, secret or not. */
export const hasVariable = (paths: readonly string[]): boolean =>
  hasPathUnder(paths, "secrets") || hasPathUnder(paths, "environment");

export const hasPathUnder = (paths: readonly string[], prefix: string) =>
  paths.some((path) => path === prefix || path.startsWith(`${prefix}.`));
