/** Converts between the inputs and state of a Cron and the objects of the API. */
import type { Cron, CronBody } from "../../api/agent-server/crons";
import { stateOf } from "../../objects/fields";
import { buildMetadata, diffMetadata, mergeMetadata, omitMarker } from "../../objects/metadata/metadata";
import { isStoredAs } from "../../objects/metadata/nul";
import type { AgentEndpoint } from "../../objects/server/endpoint";
import { isEqual } from "../../schema/compare";
import { fieldsOf, pathsOf } from "../../schema/fields";
import { isPropertyMap, type PropertyMap } from "../../schema/schema";
import { CRON, type Inputs, inputs, outputs, type State } from "./fields";

const toOutputs = stateOf<State>(outputs);
/** Without authentication the identity is empty. */
export const toState = (
  { userId, ...cron }: Partial<Cron>,
  ...place: [endpoint: AgentEndpoint | undefined, previous?: Partial<State>]
): State => toOutputs({ ...cron, userId: userId || undefined }, ...place);

/** Inputs whose absence stands for a value, so that they are compared even if they are not declared. */
const DEFAULTED = ["schedule", "timezone", "endTime", "enabled", "onRunCompleted"] as const satisfies (keyof Inputs)[];

/** Inputs that an update can change but not remove. */
const UNREMOVABLE = pathsOf(
  { fields: fieldsOf(inputs) },
  ({ replacesIfRemoved }) => replacesIfRemoved,
) as (keyof Inputs)[];

/** The inputs that a server returns. Null: it has no value. Undefined: it does not return the field. */
export type RemoteInputs = { [K in keyof Inputs]?: Inputs[K] | null };

function toRemoteInputs(cron: Cron): RemoteInputs {
  const { payload } = cron;
  const { input, config, context, webhook, multitaskStrategy, durability, streamSubgraphs, streamResumable } =
    payload ?? {};
  const ofPayload = {
    ...{ input, context, webhook, multitaskStrategy, durability, streamSubgraphs, streamResumable },
    config: payload && withoutOwnId(config),
    interruptBefore: toList(payload?.interruptBefore),
    interruptAfter: toList(payload?.interruptAfter),
    streamMode: toList(payload?.streamMode),
  };
  // The payload is the body of the requests, so what it lacks was never sent.
  const run = payload && Object.fromEntries(Object.entries(ofPayload).map(([key, value]) => [key, value ?? null]));
  const { schedule, timezone, endTime, enabled, onRunCompleted, metadata, assistantId, threadId } = cron;
  return {
    ...run,
    schedule,
    timezone,
    endTime,
    enabled,
    onRunCompleted,
    metadata,
    assistantId,
    threadId,
  } as RemoteInputs;
}

/** The server adds the ID of the cron to the configuration of its runs. */
function withoutOwnId(config: PropertyMap | null | undefined): PropertyMap {
  const { configurable, ...rest } = config ?? {};
  const { cron_id: _, ...own } = (configurable ?? {}) as PropertyMap;
  return Object.keys(own).length === 0 ? rest : { ...rest, configurable: own };
}

const toList = (value: unknown) => (value == null ? value : [value].flat());

/** Returns the declared inputs with the server's values wherever these differ. */
export function toInputs(cron: Cron, declared: Inputs): Inputs {
  const remote = toRemoteInputs(cron);
  const keys = [...new Set([...Object.keys(declared), ...DEFAULTED])] as (keyof Inputs)[];
  const merged = keys.map((key) => [key, mergeField(key, declared, remote)] as const);
  // Beside a context, a configuration that others add keeps the cron from firing, so it differs although nobody declares it.
  const blocking = isFilled(declared.context) && isFilled(remote.config?.configurable);
  return {
    ...(Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as Inputs),
    ...(blocking && { config: remote.config ?? undefined }),
  };
}

function mergeField(key: keyof Inputs, declared: Inputs, remote: RemoteInputs): unknown {
  const [own, other] = [declared[key], remote[key]];
  if (other === undefined) return own;
  if (key === "metadata") return mergeMetadata(declared.metadata ?? {}, remote.metadata);
  return isStoredAs(inputs.shape[key], own, other) ? own : (other ?? undefined);
}

/** Returns everything that the server returns of a cron except for the keys of the ownership marker. */
export function toAllInputs(cron: Cron): Inputs {
  const { metadata, ...rest } = toRemoteInputs(cron);
  const others = omitMarker(CRON.keys, metadata);
  const all = { ...rest, ...(Object.keys(others).length > 0 && { metadata: others }) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value != null)) as Inputs;
}

/** @param tags The metadata of the ownership marker. */
export function toCreateRequest(desired: Inputs, tags: Record<string, string>): CronBody {
  const { assistantId, schedule, timezone, endTime, enabled, onRunCompleted, context, config, metadata } = desired;
  return {
    ...{ assistantId, schedule, timezone, endTime, enabled, onRunCompleted, context, config },
    metadata: buildMetadata(metadata, tags),
    ...toRunFields(desired, UNREMOVABLE),
  };
}

/**
 * Returns the request that changes the previous inputs into the desired ones; undefined when nothing changed.
 * @param tags The metadata of the ownership marker, which an imported cron lacks.
 */
export function toUpdateRequest(
  previous: Partial<Inputs>,
  desired: Inputs,
  tags: Record<string, string>,
): Omit<CronBody, "assistantId"> | undefined {
  const isChanged = (key: keyof Inputs) => !isEqual(inputs.shape[key], previous[key], desired[key]);
  const { schedule, timezone, endTime, enabled, onRunCompleted, context, config } = desired;
  // Without the schedule, a cron that is enabled again fires at once (API `3B.cron:disabled`).
  const restarts = isChanged("enabled") && (enabled ?? true);
  const metadata = diffMetadata(previous.metadata, desired.metadata);
  const body = {
    ...((isChanged("schedule") || isChanged("timezone") || restarts) && {
      schedule,
      timezone: timezone ?? (isChanged("timezone") ? "UTC" : undefined),
    }),
    ...(isChanged("endTime") && { endTime: endTime ?? null }),
    ...(isChanged("enabled") && { enabled: enabled ?? true }),
    ...(isChanged("onRunCompleted") && { onRunCompleted: onRunCompleted ?? "delete" }),
    // Both, because a cron with both a context and a configuration never fires (API `3B.cron:never`).
    ...((isChanged("context") || isChanged("config")) && { context: context ?? {}, config: config ?? {} }),
    ...toRunFields(desired, UNREMOVABLE.filter(isChanged)),
  };
  const hasMetadata = Object.keys(metadata).length > 0;
  if (Object.keys(body).length === 0 && !hasMetadata) return undefined;
  const all = { ...metadata, ...tags };
  return { ...body, ...(Object.keys(all).length > 0 && { metadata: all }) };
}

const NODE_LISTS: ReadonlySet<string> = new Set(["interruptBefore", "interruptAfter"]);

/** The wildcard for all nodes is a text, not a list. */
function toRunFields(desired: Inputs, keys: readonly (keyof Inputs)[]): CronBody {
  const entries = keys.map((key) => {
    const value = desired[key];
    const isAll = NODE_LISTS.has(key) && Array.isArray(value) && value.length === 1 && value[0] === "*";
    return [key, isAll ? "*" : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns the inputs that the server has and the program does not, although no update can remove them. */
export function unremovable(cron: Cron, desired: Inputs): string[] {
  const remote = toRemoteInputs(cron);
  return UNREMOVABLE.filter((key) => remote[key] != null && desired[key] == null);
}

/** Whether a cron has all that the program declares, and nothing else that a run would receive. */
export function isAsDeclared(cron: Cron, desired: Inputs): boolean {
  const all = { ...desired, context: desired.context ?? {}, config: desired.config ?? {} };
  const remote = toInputs(cron, all);
  const actual = { ...remote, context: remote.context ?? {}, config: remote.config ?? {} };
  return toUpdateRequest(actual, all, {}) === undefined && unremovable(cron, desired).length === 0;
}

/** Returns the declared inputs that a response lacks, so that the server probably ignored them. */
export function missingFields(cron: Cron, desired: Inputs): string[] {
  const remote = toRemoteInputs(cron);
  const declared = Object.keys(toCreateRequest(desired, {})) as (keyof RemoteInputs)[];
  return declared.filter((key) => {
    const value = desired[key];
    const isEmpty = value == null || (typeof value === "object" && Object.keys(value).length === 0);
    return !isEmpty && remote[key] == null;
  });
}

export const isFilled = (value: unknown): boolean => isPropertyMap(value) && Object.keys(value).length > 0;
