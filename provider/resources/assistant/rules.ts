/** Validation rules of an Assistant across fields. */
import { errorRule, type Rule } from "../../definition/rules";
import { metadataRule } from "../../objects/metadata/metadata";
import { nulWarnings, REMOVED, REMOVED_KEYS, settingsRules } from "../../objects/metadata/server-keys";
import { defaultAssistantId } from "../../schema/id";
import { ASSISTANT, type Inputs } from "./fields";

export const rules: Rule<Inputs>[] = [
  errorRule(["config.configurable", "context"], ({ context = {}, config }) =>
    Object.keys(context).length > 0 && Object.keys(config?.configurable ?? {}).length > 0
      ? "cannot be combined with context, because servers copy the one into the other: declare all values in context."
      : undefined,
  ),
  ...settingsRules<Inputs>((key) => (key.startsWith("__") ? REMOVED : undefined)),
  ...nulWarnings<Inputs>("name", "description", "context", "config", "metadata"),
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
