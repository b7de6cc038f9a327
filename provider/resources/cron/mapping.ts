/** Converts between the inputs and state of a Cron and the objects of the API. */
import { type Cron, type CronBody, cronBodySchema, runFields } from "../../api/agent-server/crons";
import { stateOf } from "../../objects/fields";
import { buildMetadata, omitMarker } from "../../objects/metadata/metadata";
import type { AgentEndpoint } from "../../objects/server/endpoint";
import { isEqual } from "../../schema/compare";
import { missingExtra, receivedOf } from "../../schema/extra";
import { fieldsOf, pathsOf } from "../../schema/fields";
import { changesBetween, isEmpty, isFilled, mergeRemote, withRemoved } from "../../schema/mapping";
import type { PropertyMap } from "../../schema/schema";
import { CRON, type Inputs, inputs, outputs, type State } from "./fields";

const toOutputs = stateOf<State>(outputs);
/** Without authentication the identity is empty. */
export const toState = (
  { userId, ...cron }: Partial<Cron>,
  ...place: [endpoint: AgentEndpoint | undefined, previous?: Partial<State>]
): State => toOutputs({ ...cron, userId: userId || undefined }, ...place);

/** Inputs that an update can change but not remove. */
const UNREMOVABLE = pathsOf(
  { fields: fieldsOf(inputs) },
  ({ replacesIfRemoved }) => replacesIfRemoved,
) as (keyof Inputs)[];

/** The inputs that a server returns. Null: it has no value. Undefined: it does not return the field. */
export type RemoteInputs = { [K in keyof Inputs]?: Inputs[K] | null };

function toRemoteInputs({ payload, ...cron }: Cron): RemoteInputs {
  // The payload is the body of the requests, so what it lacks was never sent.
  const sent = payload && Object.keys(runFields).map((key) => [key, (payload as PropertyMap)[key] ?? null]);
  const run = sent && {
    ...Object.fromEntries(sent),
    config: withoutOwnId(payload.config),
    interruptBefore: toList(payload.interruptBefore),
    interruptAfter: toList(payload.interruptAfter),
    streamMode: toList(payload.streamMode),
    ...(payload.timezone && { timezone: payload.timezone }),
  };
  const all = Object.entries({ ...run, ...cron }).filter(([key]) => Object.hasOwn(inputs.shape, key));
  return Object.fromEntries(all) as RemoteInputs;
}

/** The server adds the ID of the cron to the configuration of its runs. */
function withoutOwnId(config: PropertyMap | null | undefined): PropertyMap {
  const { configurable, ...rest } = config ?? {};
  const { cron_id: _, ...own } = (configurable ?? {}) as PropertyMap;
  return Object.keys(own).length === 0 ? rest : { ...rest, configurable: own };
}

const toList = (value: unknown) => (value == null ? null : [value].flat());

/** What a response shows in the server's spelling: what was sent is in the payload. */
function shownBy(cron: Cron): PropertyMap {
  const received = receivedOf(cron);
  return { ...(received?.payload as PropertyMap | undefined), ...received };
}

/** Returns the inputs that count as applied where it is not certain that the last ones were sent. */
export function toAppliedInputs(cron: Cron, previous: Partial<Inputs>, desired: Inputs): Inputs {
  const isExtraMissing = missingExtra(previous.extra, desired.extra, shownBy(cron)) !== undefined;
  return { ...toInputs(cron, withRemoved(inputs, previous, desired)), ...(isExtraMissing && { extra: {} }) };
}

/** Returns the declared inputs with the server's values wherever these differ. */
export function toInputs(cron: Cron, declared: Inputs): Inputs {
  const remote = toRemoteInputs(cron);
  // Beside a context, a configuration of others keeps the cron from firing: it differs although undeclared.
  const blocking = isFilled(declared.context) && isFilled(remote.config?.configurable);
  return {
    ...mergeRemote(inputs, declared, { ...remote, extra: shownBy(cron) }),
    ...(blocking && { config: remote.config ?? undefined }),
  };
}

/** Returns everything that the server returns of a cron except for the keys of the ownership marker. */
export function toAllInputs(cron: Cron): Inputs {
  const { metadata, ...rest } = toRemoteInputs(cron);
  const others = omitMarker(CRON.keys, metadata);
  const all = { ...rest, ...(Object.keys(others).length > 0 && { metadata: others }) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value != null)) as Inputs;
}

/** @param tags The metadata of the ownership marker. */
export const toCreateRequest = (desired: Inputs, tags: Record<string, string>): CronBody => ({
  ...desired,
  metadata: buildMetadata(desired.metadata, tags),
  ...toNodes(desired),
});

/** Returns the request for a change; undefined for none. @param tags The marker's metadata, which imports lack. */
export function toUpdateRequest(
  previous: Partial<Inputs>,
  desired: Inputs,
  tags: Record<string, string>,
): Omit<CronBody, "assistantId"> | undefined {
  const changes: Partial<Inputs> = changesBetween(inputs, previous, desired);
  if (isEmpty(changes)) return undefined;
  const { schedule, timezone, context = {}, config = {} } = desired;
  const isChanged = (...keys: (keyof Inputs)[]) => keys.some((key) => Object.hasOwn(changes, key));
  const metadata = { ...changes.metadata, ...tags };
  return {
    ...changes,
    // Without the schedule, a cron that is enabled again fires at once (API `3B.cron:disabled`).
    ...((isChanged("schedule", "timezone") || changes.enabled) && { schedule, timezone: changes.timezone ?? timezone }),
    // Both, because a cron with both a context and a configuration never fires (API `3B.cron:never`).
    ...(isChanged("context", "config") && { context, config }),
    ...toNodes(changes),
    ...(!isEmpty(metadata) && { metadata }),
  };
}

/** The wildcard for all nodes is a text, not a list. */
const toNodes = (desired: Partial<Inputs>) =>
  Object.fromEntries(
    (["interruptBefore", "interruptAfter"] as const)
      .filter((key) => isEqual(undefined, desired[key], ["*"]))
      .map((key) => [key, "*"]),
  );

/** Returns the inputs that the server has and the program does not, although no update can remove them. */
export function unremovable(cron: Cron, desired: Inputs): string[] {
  const remote = toRemoteInputs(cron);
  return UNREMOVABLE.filter((key) => remote[key] != null && desired[key] == null);
}

/** Whether a cron has all that the program declares, and nothing else that a run would receive. */
export function isAsDeclared(cron: Cron, desired: Inputs): boolean {
  const all = { ...desired, context: desired.context ?? {}, config: desired.config ?? {} };
  return toUpdateRequest(toInputs(cron, all), all, {}) === undefined && unremovable(cron, desired).length === 0;
}

/** Returns the declared inputs that a response lacks, so that the server probably ignored them. */
export function missingFields(cron: Cron, desired: Inputs): string[] {
  // A time zone that only the payload contains may be an echo of the request.
  const remote = { ...toRemoteInputs(cron), timezone: cron.timezone };
  const sent = Object.keys(cronBodySchema.shape) as (keyof Inputs)[];
  return sent.filter((key) => desired[key] != null && !isEmpty(desired[key]) && remote[key] == null);
}
