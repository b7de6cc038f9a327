/** Keys that agent servers write or remove themselves, so that what a program declares for them does not last. */
import { REMOVED_KEYS } from "../../api/agent-server/threads";
import { entryRule, type Rule, type RuleSettings, warningRule } from "../../definition/rules";
import { isEqual, withoutNul } from "../../schema/compare";
import type { PropertyMap } from "../../schema/schema";
import { VOCABULARIES } from "../../text/vocabulary";

type Metadata = PropertyMap | null | undefined;

/** Metadata keys of a thread that each run overwrites, on all servers (API `2B.graph_id`, `2B.assistant_id`). */
const RUN_KEYS: ReadonlySet<string> = new Set(["graph_id", "assistant_id"]);

/**
 * Returns the metadata of a thread as its server has them, with the declared values of keys that are not up to a
 * program: no other request removes a key, so an absent one says nothing about a change, and after a run two keys say
 * what ran.
 */
export function withServerKeys(declared: Metadata, remote: Metadata): PropertyMap {
  const hasRun = remote?.assistant_id != null;
  return { ...pick(declared, REMOVED_KEYS), ...remote, ...(hasRun && pick(declared, RUN_KEYS)) };
}

const pick = (metadata: Metadata, keys: ReadonlySet<string>): PropertyMap =>
  Object.fromEntries(Object.entries(metadata ?? {}).filter(([key]) => keys.has(key)));

export const REMOVED = "is a key of the server itself, which it removes without an error; use another key.";

/** Keys of `context` and `config.configurable` that servers in Python remove (API `2B.Assistant.mirrors:reserved`). */
const REMOVED_SETTINGS: ReadonlySet<string> = new Set([
  ...["__langsmith_project__", "__langsmith_example_id__", "__request_start_time_ms__", "__after_seconds__"],
  ...["__otel_traceparent__", "__otel_tracestate__", "__dd_trace_headers__"],
  ...["__pregel_node_finished", "__context_provided__"],
]);
/** Others, after the name of the platform. */
const NAMED_SETTINGS = ["auth_user", "auth_user_id", "auth_permissions", "request_id"];

export function isRemovedSetting(key: string, { vocabulary }: RuleSettings): boolean {
  const platforms = [vocabulary, ...VOCABULARIES].map(({ agentgraph }) => agentgraph);
  const isNamed = platforms.some((platform) => NAMED_SETTINGS.some((name) => key === `${platform}_${name}`));
  return isNamed || REMOVED_SETTINGS.has(key);
}

/** Returns rules for `context` and `config`. @param reasonOf Returns what else is wrong with one of their keys. */
export const settingsRules = <I extends PropertyMap>(
  reasonOf: (key: string, path: string) => string | undefined,
): Rule<I>[] => [
  ...["context", "config.configurable"].map((path) =>
    entryRule<I>(path, (key, _value, settings) => (isRemovedSetting(key, settings) ? REMOVED : reasonOf(key, path))),
  ),
  entryRule<I>("config.metadata", (key) => (REMOVED_KEYS.has(key) ? REMOVED : undefined)),
];

/** Returns rules that warn about texts that a server may change. */
export const nulWarnings = <I extends PropertyMap>(...paths: (keyof I & string)[]): Rule<I>[] =>
  paths.map((path) =>
    warningRule([path], (inputs) =>
      isEqual(undefined, inputs[path], withoutNul(inputs[path]))
        ? undefined
        : "contains a NUL character, or its escape sequence \\u0000; servers in Python replace them by U+FFFD.",
    ),
  );
