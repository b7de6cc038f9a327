/** Validation rules of an Assistant across fields. */
import type { Rule } from "../../definition/rule";
import { entryRule, errorRule } from "../../definition/rules";
import { endpointRules } from "../../objects/fields";
import { metadataRule, nulWarning, REMOVED_KEYS } from "../../objects/metadata";
import { defaultAssistantId } from "../../schema/id";
import { ASSISTANT, type Inputs } from "./fields";

/** Keys of the server itself in the values for a graph, besides those with double underscores (API `2B.Assistant.mirrors:reserved`). */
const SERVER_VALUES = ["auth_user", "auth_user_id", "auth_permissions", "request_id"];

const REMOVED = "is a key of the server itself, which it removes without an error; use another key.";

export const rules: Rule<Inputs>[] = [
  ...endpointRules,
  errorRule(["config.configurable", "context"], ({ context = {}, config }) =>
    Object.keys(context).length > 0 && Object.keys(config?.configurable ?? {}).length > 0
      ? "cannot be combined with context, because servers copy the one into the other: declare all values in context."
      : undefined,
  ),
  ...["context", "config.configurable"].map((path) =>
    entryRule<Inputs>(path, (key, _value, { vocabulary }) => {
      const prefixes = ["agentgraph", vocabulary.agentgraph];
      const isServerValue = prefixes.some((prefix) => SERVER_VALUES.some((name) => key === `${prefix}_${name}`));
      return isServerValue || key.startsWith("__") ? REMOVED : undefined;
    }),
  ),
  nulWarning("metadata"),
  metadataRule(ASSISTANT.keys, (key, value) => {
    if (key === "created_by" && value === "system")
      return "marks the assistants that the server makes itself, and it deletes others with it when it starts; use another value.";
    return REMOVED_KEYS.has(key) ? REMOVED : undefined;
  }),
  errorRule(["assistantId", "graphId"], ({ assistantId, graphId }) =>
    assistantId?.toLowerCase() === defaultAssistantId(graphId)
      ? `is the ID of the default assistant of ${graphId}, which belongs to the server; use another ID, or none.`
      : undefined,
  ),
];
