/**
 * What a response says: the inputs, with those that it confirms and those that count as applied although it omits them
 * (API `10A.not-returned`), and the outputs, two of which only other responses contain.
 */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { derivedValue, type ResourceSpec } from "../../../api/control-plane/resource-spec";
import { nameOfAgent } from "../../../api/control-plane/schemas";
import type { Context } from "../../../definition/context";
import { HttpError, ignoreHttpError } from "../../../http/errors";
import { diffPaths, isEqual } from "../../../schema/compare";
import { receivedOf } from "../../../schema/extra";
import { type IsApplied, isEmpty, mergeRemote, toOutputs } from "../../../schema/mapping";
import { getOwn, matchesPath, schemaAt, valueAt, variantFor } from "../../../schema/schema";
import { UserError } from "../../../text/user-error";
import { type Chosen, chosenConfig } from "../schema/choices";
import { IMMUTABLE, type Inputs, inputs, SPEC } from "../schema/inputs";
import { outputs, type State } from "../schema/outputs";
import { isMasked, userSecrets } from "./marker";

export const schemaOf = (desired: Inputs) => variantFor({ inputs }, desired) ?? inputs;

interface ReadOptions {
  /**
   * Whether it was created as declared. Then a null for an immutable field only means that the server does not return
   * it; treating it as removed would replace the deployment and lose its database.
   */
  isInState?: boolean;
  /** Paths that the server did not return right after they were sent; undefined if that is unknown. */
  notReturned?: readonly string[] | undefined;
  chosen?: Chosen | undefined;
}

/** Fields that a server may store and not return. A custom URL is empty until the first revision is live. */
const MAY_BE_HIDDEN = ["customUrl", "listenerConfig", "installCommand", "buildCommand"].map(
  (field) => `sourceConfig.${field}`,
);

/** Returns the declared inputs with the server's values; undeclared server defaults do not count as a difference. */
export const toInputs = (
  remote: RemoteDeployment,
  declared: Inputs,
  { isInState = false, notReturned = MAY_BE_HIDDEN, chosen }: ReadOptions = {},
): Inputs =>
  merge(remote, declared, chosen, (path, server) => {
    if (isDerived(path, remote, declared) || (isInState && isImmutable(path))) return true;
    // A spec is returned as a whole, so its missing fields are absent. Other omitted fields mean nothing.
    const isOmitted = server === undefined && !(matchesPath(path, SPEC) && remote.sourceConfig?.resourceSpec);
    return isOmitted || notReturned.some((pattern) => matchesPath(path, pattern));
  });

/**
 * Returns the declared inputs with the server's values. Masked secrets are compared by name: a missing or new name is
 * drift, and its value is unknown. What the program declares in the environment is there, and everything else a secret.
 * No request empties the list (API `4A.PATCH:secrets`): an empty one hides what is declared.
 */
function merge(remote: RemoteDeployment, declared: Inputs, chosen: Chosen | undefined, isApplied: IsApplied): Inputs {
  const { secretReferences } = remote;
  const { environment = {}, secrets } = declared;
  const all = { ...secrets, ...environment };
  const isShown = remote.secrets !== undefined && (remote.secrets.length > 0 || isEmpty(all));
  const known = isMasked(remote) ? all : undefined;
  const variables = Map.groupBy(userSecrets(remote), ({ name }) => Object.hasOwn(environment, name));
  const variablesIn = (isPlain: boolean, map: object | undefined) =>
    byName(isShown ? (variables.get(isPlain) ?? []) : undefined, map, ({ name, value }) =>
      known ? (getOwn(known, name) ?? "") : (value ?? ""),
    );
  const held = {
    ...remote,
    ...nameIn(remote, declared),
    sourceConfig: chosenConfig(remote, declared, chosen),
    imageVersion: remote.imageVersion ?? undefined,
    displayName: remote.displayName ?? undefined,
    environment: variablesIn(true, declared.environment),
    secrets: variablesIn(false, secrets),
    extra: declared.extra && receivedOf(remote),
    secretReferences: byName(
      secretReferences === null ? [] : secretReferences,
      declared.secretReferences,
      ({ name: _, ...reference }) => reference,
    ),
  };
  return mergeRemote(schemaOf(declared), declared, held, isApplied);
}

/** Returns the name, or the agent in its place. A server may show both for some deployments. */
export function nameIn({ name, agent }: RemoteDeployment, declared: Pick<Inputs, "agent">): Partial<Inputs> {
  const bound = declared.agent ? (agent ?? declared.agent) : name === "" ? agent : undefined;
  return bound ? { name: nameOfAgent(bound), agent: bound } : { name: name || undefined };
}

/** Returns a list of named values as inputs declare it: an empty one that is not declared is absent. */
function byName<T extends { name: string }, V>(
  list: readonly T[] | undefined,
  declared: object | undefined,
  toValue: (item: T) => V,
): Record<string, V> | undefined {
  if (list === undefined || (list.length === 0 && !declared)) return undefined;
  return Object.fromEntries(list.map((item) => [item.name, toValue(item)]));
}

export const driftPaths = (remote: RemoteDeployment, desired: Inputs) =>
  diffPaths(schemaOf(desired), toInputs(remote, desired), desired);

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

/** Returns declared paths that were sent and are not returned. Others may have been removed: a refresh detects that. */
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

export function findMissingPaths(remote: RemoteDeployment, declared: Inputs): string[] {
  const missing: string[] = [];
  merge(remote, declared, undefined, (path) => {
    if (/^(source|extra).*\./.test(path) && !isDerived(path, remote, declared)) missing.push(path);
    return true;
  });
  return missing;
}

/** Fields of a spec without a server default: if they are present, someone set them. */
const FIELDS_WITHOUT_DEFAULT = [
  ...["labels", "annotations", "serviceAccountName", "imagePullSecrets"],
  ...["volumes", "volumeMounts", "initContainers", "sidecars"],
] as const satisfies (keyof ResourceSpec)[];

/**
 * Returns only the inputs that the response contains, also those that the program no longer declares. Excludes what no
 * server returns, and includes immutable inputs unless the response has another value.
 */
export function confirmedInputs(remote: RemoteDeployment, declared: Inputs): Inputs {
  const { sourceDigest: _, redeployTriggers: __, ...comparable } = declared;
  const shown = isMasked(remote) ? { ...remote, secrets: undefined } : remote;
  const confirmed = merge(shown, comparable, undefined, (path) => isImmutable(path) || !isServerField(path));
  return { ...confirmed, ...withUndeclared(confirmed, remote) };
}

const isServerField = (path: string) =>
  /^(source(Revision)?Config|secrets|environment|secretReferences|imageVersion|displayName|extra)\b/.test(path);

function withUndeclared(confirmed: Inputs, { sourceConfig }: RemoteDeployment): Pick<Inputs, "sourceConfig"> {
  const remoteSpec = sourceConfig?.resourceSpec ?? {};
  const undeclared = FIELDS_WITHOUT_DEFAULT.filter((field) => Object.keys(remoteSpec[field] ?? {}).length > 0).map(
    (field) => [field, remoteSpec[field]],
  );
  if (undeclared.length === 0) return {};
  const resourceSpec = { ...Object.fromEntries(undeclared), ...confirmed.sourceConfig?.resourceSpec };
  return { sourceConfig: { ...confirmed.sourceConfig, resourceSpec } as Inputs["sourceConfig"] };
}

/** Returns the values of remote secrets, which no message may contain, without those declared not to be secret. */
export const secretValuesIn = (remote: RemoteDeployment, ...declared: readonly Partial<Inputs>[]): string[] =>
  userSecrets(remote)
    .filter(({ name }) => {
      const isIn = (map: "secrets" | "environment") => declared.some((one) => Object.hasOwn(one[map] ?? {}, name));
      return isIn("secrets") || !isIn("environment");
    })
    .map(({ value }) => value ?? "");

/** @param previous The state so far; the response contains the commit of the latest revision only. */
export function toState(remote: RemoteDeployment, previous: Partial<State> = {}): State {
  const { tracingProjectId, verifiedRevisionId, failedVerification, movedFrom, pendingConversations } = previous;
  const remembered = { tracingProjectId, verifiedRevisionId, failedVerification, movedFrom, pendingConversations };
  const state = toOutputs(outputs, remote, remembered);
  const { latestRevisionId, activeRevisionId, latestRepoCommitSha } = state;
  const commitByRevision = new Map([
    [previous.latestRevisionId, previous.latestRepoCommitSha],
    [previous.activeRevisionId, previous.activeRepoCommitSha],
    [latestRevisionId, latestRepoCommitSha],
  ]);
  return { ...state, activeRepoCommitSha: activeRevisionId && commitByRevision.get(activeRevisionId) };
}

/** Adds the commit of the live revision to the state, with a request only if it is unknown. A failure is ignored. */
export async function withLiveCommit(state: State, { id, source }: RemoteDeployment, ctx: Context): Promise<State> {
  const { activeRevisionId, activeRepoCommitSha } = state;
  if (source !== "githost" || activeRevisionId === undefined || activeRepoCommitSha !== undefined) return state;
  if (activeRevisionId === state.latestRevisionId) return state;
  const revision = await ctx.clients.controlPlane.getRevision(id, activeRevisionId).catch(ignoreHttpError);
  return { ...state, activeRepoCommitSha: revision?.sourceRevisionConfig?.repoCommitSha ?? undefined };
}

/** Returns the ID of the deployment's tracing project, by name (API `1A`). A failure only causes a warning. */
export async function findTracingProject(
  remote: RemoteDeployment,
  declared: Pick<Inputs, "agent">,
  ctx: Context,
): Promise<string | undefined> {
  if (remote.tracerSessionId != null) return remote.tracerSessionId;
  const { name } = nameIn(remote, declared);
  const { missing, tenantId, sources } = ctx.settings;
  // Of two URLs and no workspace, the second one may be meant for other programs.
  const isPossible = missing.tracing.length === 0 && (tenantId !== undefined || sources.url !== undefined);
  if (name === undefined || !isPossible) return undefined;
  try {
    return (await ctx.clients.projectCache.findByName(name))?.id;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Without a workspace, it is as if there were no tracing API.
    if (!(error instanceof HttpError)) return undefined;
    ctx.log.warn(`tracingProjectId is unknown, because the request to the tracing API failed: ${error.message}`);
    return undefined;
  }
}
