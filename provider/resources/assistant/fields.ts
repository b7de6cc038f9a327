/** Inputs and outputs of an Assistant (API `2B.Assistant`). */
import { z } from "zod";
import { freeForm, runConfig } from "../../api/agent-server/assistants";
import { REMOVED_KEYS } from "../../api/agent-server/threads";
import { errorRule, type Rule } from "../../definition/rules";
import { endpointInputs, endpointOutputs, foreignCronsInput, idInput, sensitiveInput } from "../../objects/fields";
import { objectNames } from "../../objects/kind";
import { metadataRule } from "../../objects/metadata/metadata";
import { nulWarnings, REMOVED, settingsRules } from "../../objects/metadata/server-keys";
import { extraInput } from "../../schema/extra";
import { defaultAssistantId } from "../../schema/id";
import { fieldMetadata } from "../../schema/schema";
import { timeOutputs } from "../../schema/timestamp";

export const ASSISTANT = objectNames("Assistant");

export const inputs = z
  .strictObject({
    ...endpointInputs("assistant", "discards its versions and crons"),
    graphId: z
      .string()
      .min(1)
      .describe("Name of the graph of the deployment that the assistant configures.")
      .register(fieldMetadata, { effect: "newVersion", shown: true }),
    name: z
      .string()
      .min(1)
      .describe(
        "Name of the assistant, which need not be unique. Defaults to the name of the resource at its " +
          "creation, which is then kept.",
      )
      .register(fieldMetadata, { effect: "newVersion", shown: true, defaultsToName: true }),
    description: z
      .string()
      .optional()
      .describe("What the assistant is for. If it is removed, the server keeps an empty one.")
      .register(fieldMetadata, { absentMeans: "", effect: "newVersion" }),
    context: freeForm
      .optional()
      .describe(
        "What the graph reads as its context, by key, such as a model and a prompt. Keys keep their spelling. " +
          "If it is removed, it becomes empty.",
      )
      .register(fieldMetadata, { typeParameter: "Context", effect: "newVersion", secret: "sensitive" }),
    config: runConfig
      .optional()
      .describe(
        "Configuration of its runs. Keys that are not named here keep their spelling. `configurable` cannot " +
          "be combined with `context`. If it is removed, it becomes empty.",
      )
      .register(fieldMetadata, { effect: "newVersion", secret: "sensitive" }),
    metadata: freeForm
      .optional()
      .describe(
        "Metadata by key, for searching. Servers copy them into every run and trace of the assistant. Keys " +
          "that others add are left unchanged. A key that is removed or set to null becomes null on the server.",
      )
      .register(fieldMetadata, { effect: "newVersion", secret: "sensitive", merge: "keys" }),
    assistantId: idInput("assistant", "the agent server"),
    extra: extraInput("Any change makes a version.", { effect: "newVersion", secret: "sensitive" }),
    sensitive: sensitiveInput("context, config, metadata and extra"),
    deleteForeignCrons: foreignCronsInput("of the assistant"),
  })
  .register(fieldMetadata, {
    interface: "AssistantArgs",
    foreignFields: {
      version: "is an output; to go back to an older version, declare its content, which becomes a new version.",
      configurable: "is part of config: write config.configurable, or better context.",
      schedule: "belongs to a Cron of the assistant.",
    },
  });
export type Inputs = z.infer<typeof inputs>;

export const outputs = z.object({
  ...endpointOutputs("assistant"),
  version: z.int().optional().describe("Number of its current version; absent if the server does not return it."),
  ...timeOutputs,
});
export type State = z.infer<typeof outputs>;

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
      return (
        "marks the assistants that the server makes itself, and it deletes others with it when it starts; use " +
        "another value."
      );
    return REMOVED_KEYS.has(key) ? REMOVED : undefined;
  }),
  errorRule(["assistantId", "graphId"], ({ assistantId, graphId }) =>
    assistantId?.toLowerCase() === defaultAssistantId(graphId)
      ? `is the ID of the default assistant of ${graphId}, which belongs to the server; use another ID, or none.`
      : undefined,
  ),
];
