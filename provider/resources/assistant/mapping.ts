/** Converts between the inputs and state of an Assistant and the objects of the API. */
import type { Assistant, AssistantBody } from "../../api/agent-server/assistants";
import { omitMarker } from "../../objects/metadata/metadata";
import { isEqual, withoutNul } from "../../schema/compare";
import { receivedOf } from "../../schema/extra";
import { changesBetween, isEmpty, mergeRemote, withRemoved } from "../../schema/mapping";
import type { PropertyMap } from "../../schema/schema";
import { ASSISTANT, type Inputs, inputs } from "./fields";

/** Returns the declared inputs with the server's values. An import may name another ID than the program declares. */
export function toInputs(remote: Assistant, declared: Inputs): Inputs {
  const { assistantId, graphId, name, description, metadata } = remote;
  const others = { assistantId, graphId: graphId ?? undefined, name: name ?? undefined };
  const extra = receivedOf(remote);
  const merged = { ...others, description: description ?? "", metadata: metadata ?? {}, extra };
  return { ...mergeRemote(inputs, declared, merged), ...toSettings(remote, declared) };
}

/** Returns what the server returns of an assistant, without the ownership marker and the copy of the context. */
export function toAllInputs(remote: Assistant): Inputs {
  const { assistantId, graphId, name, description, metadata } = remote;
  const { context, configurable, config } = settingsOf(remote);
  return {
    assistantId,
    graphId: graphId ?? "",
    name: name ?? "",
    ...(description && { description }),
    context,
    config: { ...config, ...(!isEmpty(configurable) && !isSame(configurable, context) && { configurable }) },
    metadata: omitMarker(ASSISTANT.keys, metadata),
  };
}

type Settings = Pick<Inputs, "context" | "config">;

function settingsOf(remote: { context?: unknown; config?: unknown }) {
  const { configurable, ...config } = (remote.config ?? {}) as NonNullable<Inputs["config"]>;
  return { context: (remote.context ?? {}) as PropertyMap, configurable: configurable ?? {}, config };
}

/** Whether the program passes values as `config.configurable` rather than as `context`. */
const usesConfigurable = ({ config }: Settings) => !isEmpty(config?.configurable ?? {});

/**
 * Returns the declared context and config with the server's values. Servers in Python copy the one into
 * `config.configurable` and the other way round; going back to a version restores only `configurable`, and a graph may
 * read either. So a copy that differs is a difference (API `2B.Assistant.mirrors`).
 */
function toSettings(remote: Assistant, declared: Settings): Settings {
  const { configurable, config } = settingsOf(remote);
  const wanted = settingsOf(declared);
  const isByConfigurable = usesConfigurable(declared);
  const { own, copy } = placesOf(remote, declared);
  const values = isByConfigurable ? wanted.configurable : wanted.context;
  const stored = isSame(own, values) && !isEmpty(copy) ? copy : own;
  const actual = isSame(stored, values) ? values : stored;
  // Beside a context, the copy of it does not count as a configurable of the program; anything else does.
  const other = isSame(configurable, wanted.context) ? {} : configurable;
  return {
    ...(declared.context && { context: isByConfigurable ? declared.context : actual }),
    ...(declared.config && {
      config: {
        ...(isSame(withoutEmptyLists(config), withoutEmptyLists(wanted.config)) ? wanted.config : config),
        ...(declared.config.configurable && { configurable: isByConfigurable ? actual : other }),
      },
    }),
  };
}

function placesOf(remote: Assistant, declared: Settings) {
  const { context, configurable } = settingsOf(remote);
  return usesConfigurable(declared) ? { own: configurable, copy: context } : { own: context, copy: configurable };
}

/** Whether the two places differ. The inputs show one, so that comparing them would miss what is in the other. */
export function hasOtherCopy(remote: Assistant, declared: Settings): boolean {
  const { own, copy } = placesOf(remote, declared);
  const isDeclared = (declared.context ?? declared.config?.configurable) !== undefined;
  return isDeclared && !isEmpty(copy) && !isSame(own, copy);
}

/** A NUL character of a program and what servers in Python make of it are equivalent. */
const isSame = (left: unknown, right: unknown) => isEqual(undefined, withoutNul(left), withoutNul(right));
/** An empty list of tags is equivalent to none. */
const withoutEmptyLists = (values: PropertyMap) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !Array.isArray(value) || value.length > 0));

/** Returns the declared inputs, with what takes the place of those that the program no longer declares. */
export function withRemovedSettings(previous: Partial<Inputs>, desired: Inputs): Inputs {
  const { config, ...expected } = withRemoved(inputs, previous, desired);
  const configurable = config?.configurable ?? (previous.config?.configurable && {});
  return { ...expected, ...(config && { config: { ...config, ...(configurable && { configurable }) } }) };
}

export function toChange(remote: Assistant, expected: Inputs): AssistantBody {
  const { context, config, ...changes }: Partial<Inputs> = changesBetween(inputs, toInputs(remote, expected), expected);
  return { ...changes, ...((context ?? config) !== undefined && toSettingsRequest(remote, expected)) };
}

/**
 * Returns context and config, both whole: what one alone does to the other differs between servers, and only empty ones
 * in both places empty both (API `2B.Assistant.mirrors:empty`). What nobody declares is kept.
 */
function toSettingsRequest(remote: Assistant, expected: Settings): Settings {
  const [current, wanted] = [settingsOf(remote), settingsOf(expected)];
  const isDeclared = (expected.context ?? expected.config?.configurable) !== undefined;
  const { context, configurable } = isDeclared ? wanted : current;
  const config = expected.config ? wanted.config : current.config;
  if (!isEmpty(context) && !(isDeclared && usesConfigurable(expected))) return { context, config };
  // Some servers copy a context over the configurable, also an empty one. One that is a copy itself needs no request.
  const isCopy = isEmpty(current.context) || isSame(current.context, current.configurable);
  return { ...((isEmpty(configurable) || !isCopy) && { context: {} }), config: { ...config, configurable } };
}
