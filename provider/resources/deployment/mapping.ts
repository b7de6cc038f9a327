/** A Deployment as the service holds it: what it says in our terms, and what is sent to it. */
import type { Deployment as Answer, DeploymentBody } from "../../api/control-plane/client";
import { MARKER } from "../../api/control-plane/ownership-marker";
import { mergeSpec } from "../../api/control-plane/resource-spec";
import type { UpdateRequest } from "../../definition/results";
import { diffPaths, isEqual, mergeRemote } from "../../schema/compare";
import { fieldsAt, getOwn, schemaAt, valueAt } from "../../schema/schema";
import type { Inputs } from "./inputs";
import { configOf, keptBy, type Reading, schemaOf } from "./omitted-fields";
import type { State } from "./outputs";
import { commitsOf } from "./source/commits";

export type Content = NonNullable<DeploymentBody["sourceRevisionConfig"]>;

/** What may be written of a revision from this source, as a service holds it: without what its build added. */
export function contentOf(held: Answer["sourceRevisionConfig"], wanted: Inputs): Content {
  const fields = fieldsAt(schemaOf(wanted), "sourceRevisionConfig");
  return Object.fromEntries(fields.map((field) => [field, valueAt(held, field) ?? undefined]));
}

/** @param previous What state held: the answer says of what only the newest revision was built from. */
export function toState(answer: Answer, previous: Partial<State> = {}): State {
  return {
    tenantId: answer.tenantId ?? "",
    url: answer.sourceConfig?.customUrl ?? undefined,
    latestRevisionId: answer.latestRevisionId ?? undefined,
    activeRevisionId: answer.activeRevisionId ?? undefined,
    status: answer.status,
    createdAt: answer.createdAt ?? "",
    updatedAt: answer.updatedAt ?? "",
    ...commitsOf(answer, previous),
    currentImageVersion: answer.imageVersion ?? undefined,
    isManagedDeepAgent: answer.isManagedDeepAgent ?? false,
    tracingProjectId: previous.tracingProjectId,
  };
}

/** What the server holds, in the terms of what is declared: fields that only the server filled in are no difference. */
export function toInputs(answer: Answer, declared: Inputs, reading: Reading = {}): Inputs {
  return {
    ...mergeRemote(schemaOf(declared), declared, configOf(answer), keptBy(answer, declared, reading)),
    ...observeSecrets(answer, declared),
    ...observeReferences(answer, declared),
  };
}

/** The paths at which the server does not hold what is wanted. */
export const unlike = (answer: Answer, wanted: Inputs) => diffPaths(schemaOf(wanted), toInputs(answer, wanted), wanted);

export function observeSecrets(answer: Answer, declared: Inputs): Pick<Inputs, "secrets"> {
  if (!answer.secrets || isMasked(answer)) return observeMasked(answer, declared);
  const held = Object.fromEntries(userSecrets(answer).map(({ name, value }) => [name, value ?? ""]));
  return declared.secrets === undefined && Object.keys(held).length === 0 ? {} : { secrets: held };
}

/** Without values only names tell: one that is missing or new is drift, and its value is not known. */
function observeMasked(answer: Answer, { secrets }: Inputs): Pick<Inputs, "secrets"> {
  if (!answer.secrets) return { secrets };
  const names = userSecrets(answer).map(({ name }) => name);
  return secrets === undefined && names.length === 0
    ? {}
    : { secrets: Object.fromEntries(names.map((name) => [name, getOwn(secrets ?? {}, name) ?? ""])) };
}

export function observeReferences({ secretReferences }: Answer, declared: Inputs): Pick<Inputs, "secretReferences"> {
  if (secretReferences === undefined) return { secretReferences: declared.secretReferences };
  const held = Object.fromEntries(
    (secretReferences ?? []).map(({ name, secretName, secretKey }) => [name, { secretName, secretKey }]),
  );
  return declared.secretReferences === undefined && Object.keys(held).length === 0 ? {} : { secretReferences: held };
}

const userSecrets = (answer: Answer) => (answer.secrets ?? []).filter(({ name }) => name !== MARKER);
/** The ownership marker; undefined where there is none, or the service shows stars in its place. */
export const markerIn = (answer: Answer) =>
  isMasked(answer) ? undefined : (answer.secrets?.find(({ name }) => name === MARKER)?.value ?? undefined);
/** A server that does not show values shows the marker neither; a user's own value may look like a mask. */
export const isMasked = ({ secrets = [] }: Answer) => {
  const marker = secrets.filter(({ name }) => name === MARKER);
  const telling = marker.length > 0 ? marker : secrets;
  return telling.length > 0 && telling.every(({ value }) => value == null || /^[*•]+$/.test(value));
};

/** The values of secrets that the server holds: no text may show them. */
export const secretValuesIn = (answer: Answer): string[] => userSecrets(answer).map(({ value }) => value ?? "");

const secretList = (secrets: Inputs["secrets"], marker: string | undefined) => [
  ...Object.entries(secrets ?? {}).map(([name, value]) => ({ name, value })),
  ...(marker === undefined ? [] : [{ name: MARKER, value: marker }]),
];
const referenceList = (references: Inputs["secretReferences"]) =>
  Object.entries(references ?? {}).map(([name, reference]) => ({ name, ...reference }));

export function createBody(wanted: Inputs, marker: string | undefined): DeploymentBody {
  const { source, sourceConfig, sourceRevisionConfig, secretReferences } = wanted;
  return {
    name: wanted.name,
    source,
    imageVersion: wanted.imageVersion,
    sourceConfig: {
      ...sourceConfig,
      // Servers expect the object from an image, if only an empty one (interface-notes section 2).
      ...(source === "external_docker" && { resourceSpec: sourceConfig?.resourceSpec ?? {} }),
      ...(sourceRevisionConfig?.repoRef?.startsWith("refs/tags/") && { buildOnPush: false }),
    },
    sourceRevisionConfig: sourceRevisionConfig ?? {},
    secrets: secretList(wanted.secrets, marker),
    ...(secretReferences && { secretReferences: referenceList(secretReferences) }),
  };
}

/** Only what changed and is not so on the server already; undefined when nothing is to be sent. */
export function patchBody(
  change: UpdateRequest<Inputs, State>,
  now: Answer,
  marker: string | undefined,
): DeploymentBody | undefined {
  const { inputs: wanted, previous, paths } = change;
  const differing = new Set(unlike(now, wanted));
  const changed = paths.filter((path) =>
    path.startsWith("source") ? !isHeld(path, change, now) : differing.has(path) || isUntold(path, now),
  );
  const config: Record<string, unknown> = pick(wanted.sourceConfig, changed, "sourceConfig");
  if (below(changed, "sourceConfig.resourceSpec")) {
    config.resourceSpec = mergeSpec(
      now.sourceConfig?.resourceSpec ?? {},
      previous.sourceConfig?.resourceSpec ?? {},
      wanted.sourceConfig?.resourceSpec ?? {},
    );
  }
  const revision = pick(wanted.sourceRevisionConfig, changed, "sourceRevisionConfig");
  if (revision.repoRef?.startsWith("refs/tags/") && now.sourceConfig?.buildOnPush) config.buildOnPush = false;
  const body: DeploymentBody = {
    ...(changed.includes("imageVersion") && { imageVersion: wanted.imageVersion }),
    ...(Object.keys(config).length > 0 && { sourceConfig: config }),
    ...(Object.keys(revision).length > 0 && { sourceRevisionConfig: revision }),
    ...((below(changed, "secrets") || (isMasked(now) && below(paths, "secrets"))) && {
      secrets: secretList(wanted.secrets, marker),
    }),
    ...(below(changed, "secretReferences") && { secretReferences: referenceList(wanted.secretReferences) }),
  };
  return Object.keys(body).length === 0 ? undefined : body;
}

/**
 * Whether the server surely holds what is wanted, or no longer what was. What it does not return is not held; keys of
 * a map may have dots, so a map is looked at as a whole.
 */
function isHeld(path: string, { inputs: wanted, previous }: UpdateRequest<Inputs, State>, now: Answer): boolean {
  const depth = path.startsWith("sourceConfig.resourceSpec.") ? 3 : 2;
  const field = path.split(".").slice(0, depth).join(".");
  const schema = schemaAt(schemaOf(wanted), field);
  const [held, after] = [valueAt(now, field), valueAt(wanted, field)];
  return after === undefined ? !isEqual(schema, held, valueAt(previous, field)) : isEqual(schema, held, after);
}

/** Whether the answer says nothing at all of these. */
const isUntold = (path: string, now: Answer) =>
  (below([path], "secrets") && !now.secrets) ||
  (below([path], "secretReferences") && now.secretReferences === undefined) ||
  (path === "imageVersion" && now.imageVersion == null);

/** The single fields of an object that changed. */
function pick<T extends object>(object: T | undefined, changed: readonly string[], path: string): Partial<T> {
  const entries = Object.entries(object ?? {}).filter(([key]) => changed.includes(`${path}.${key}`));
  return Object.fromEntries(entries) as Partial<T>;
}

export const below = (paths: readonly string[], prefix: string) =>
  paths.some((path) => path === prefix || path.startsWith(`${prefix}.`));
