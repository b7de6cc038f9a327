/** Inputs and outputs of a Cron (API `2B.Cron`). */
import { z } from "zod";
import { freeForm, runConfig } from "../../api/agent-server/assistants";
import type { Cron } from "../../api/agent-server/crons";
import { REMOVED_KEYS } from "../../api/agent-server/threads";
import { knownValue } from "../../api/known-values";
import { errorRule, knownValueRule, type Rule, textRejection, textWarning, warningRule } from "../../definition/rules";
import { isLoopback } from "../../http/loopback";
import { requestsOf } from "../../objects/defaults";
import { endpointInputs, endpointOutputs, sensitiveInput } from "../../objects/fields";
import { objectNames } from "../../objects/kind";
import { metadataRule } from "../../objects/metadata/metadata";
import { nulWarnings, REMOVED, settingsRules } from "../../objects/metadata/server-keys";
import { extraInput } from "../../schema/extra";
import { isFilled } from "../../schema/mapping";
import { fieldMetadata, isPropertyMap, optionalFlag, optionalText } from "../../schema/schema";
import { timeOutputs, timestamp } from "../../schema/timestamp";
import { checkSchedule, timeZoneError, timeZoneWarning } from "./schedule";

export const CRON = { ...objectNames("Cron"), path: "runs/crons", ...requestsOf<Cron>("cron", ({ crons }) => crons) };

const REMOVAL = "A removal replaces the cron, because the API cannot clear it.";

export const inputs = z
  .strictObject({
    ...endpointInputs("cron", "lets runs that it started continue"),
    assistantId: z
      .string()
      .min(1)
      .describe(
        "What runs: the ID of an assistant, usually the output `id` of an Assistant, or the name of a graph " +
          "for its default assistant. A change replaces the cron.",
      )
      .register(fieldMetadata, {
        ...{ compare: "assistant", replaces: true },
        reference: { kind: "Assistant", output: "id", reason: "its assistant is replaced" },
      }),
    threadId: z
      .guid()
      .optional()
      .describe(
        "ID of the thread on which all runs take place. Defaults to a new thread for each run. The server " +
          "deletes the cron with its thread. A change replaces the cron.",
      )
      .register(fieldMetadata, {
        compare: "uuid",
        replaces: true,
        reference: { kind: "Thread", output: "id", reason: "its thread is replaced" },
      }),
    schedule: z
      .string()
      .register(fieldMetadata, { compare: "schedule" })
      .describe(
        "When it fires, as five fields: minute, hour, day of the month, month and weekday (0 is Sunday). For " +
          "example, `0 3 * * 1-5` is 03:00 from Monday to Friday.",
      ),
    timezone: z
      .string()
      .optional()
      .describe(
        "Time zone of the schedule, as a name of the IANA database such as `Europe/Berlin`. It follows " +
          "daylight saving. Defaults to UTC.",
      )
      .register(fieldMetadata, { absentMeans: "UTC", comparedIfAbsent: true }),
    endTime: timestamp
      .optional()
      .describe(
        "When it fires for the last time, with a time zone or offset: `2027-01-31T00:00:00Z`. Defaults to " +
          "never. The published development server mishandles it: such a cron never fires there, and stops " +
          "those that were created after it.",
      )
      .register(fieldMetadata, { comparedIfAbsent: true }),
    enabled: z
      .boolean()
      .register(fieldMetadata, {
        absentMeans: true,
        valueEffects: { true: "fires again from the next time of its schedule", false: "pauses" },
      })
      .optional()
      .describe(
        "Whether it fires. Defaults to true. When it is enabled again, it continues with the next time of its " +
          "schedule.",
      )
      .register(fieldMetadata, { comparedIfAbsent: true }),
    input: z
      .unknown()
      .optional()
      .describe(
        "Input of each run, in the format of the graph: an object, or an array of objects. Many graphs fail " +
          `without it. ${REMOVAL}`,
      )
      .register(fieldMetadata, { secret: "sensitive", replacesIfRemoved: true }),
    context: freeForm
      .optional()
      .describe(
        "Context of each run, which the graph reads. Added to that of the assistant. Cannot be combined with " +
          "`config.configurable`.",
      )
      .register(fieldMetadata, { typeParameter: "Context", secret: "sensitive" }),
    config: runConfig
      .optional()
      .describe("Configuration of each run.")
      .register(fieldMetadata, { secret: "sensitive", merge: "whole" }),
    metadata: freeForm
      .optional()
      .describe(
        "Metadata by key, for searching. The server copies them to the runs of the cron, and to the threads " +
          "that it creates. Keys that others add are left unchanged. A key that is removed or set to null " +
          "becomes null on the server.",
      )
      .register(fieldMetadata, { secret: "sensitive", merge: "keys" }),
    webhook: z
      .url()
      .optional()
      .describe(`URL that the server calls after each run. Its host must be public. ${REMOVAL}`)
      .register(fieldMetadata, { secret: "sensitive", replacesIfRemoved: true }),
    multitaskStrategy: knownValue("CronMultitaskStrategy")
      .optional()
      .describe(
        "What a run does while another one is active on its thread: `enqueue` (wait), `reject` (skip this " +
          "time), `interrupt` or `rollback` (stop the other one). Defaults to the server's choice, usually " +
          `\`enqueue\`. ${REMOVAL}`,
      )
      .register(fieldMetadata, { replacesIfRemoved: true }),
    onRunCompleted: knownValue("CronOnRunCompleted")
      .register(fieldMetadata, { knownValues: "CronOnRunCompleted", absentMeans: "delete", comparedIfAbsent: true })
      .optional()
      .describe(
        "What happens to the new thread of a run when the run ends: `delete` or `keep`. Defaults to `delete`. " +
          "Cannot be combined with `threadId`.",
      ),
    interruptBefore: z
      .array(z.string().min(1))
      .optional()
      .describe(`Nodes of the graph before which a run stops; \`["*"]\` stands for all. ${REMOVAL}`)
      .register(fieldMetadata, { replacesIfRemoved: true }),
    interruptAfter: z
      .array(z.string().min(1))
      .optional()
      .describe(`Nodes of the graph after which a run stops; \`["*"]\` stands for all. ${REMOVAL}`)
      .register(fieldMetadata, { replacesIfRemoved: true }),
    durability: knownValue("CronDurability")
      .optional()
      .describe(
        "When a run saves its state: `sync` (before the next step), `async` (during it) or `exit` (at " +
          `its end). Defaults to the server's choice. ${REMOVAL}`,
      )
      .register(fieldMetadata, { replacesIfRemoved: true }),
    streamMode: z
      .array(knownValue("CronStreamMode"))
      .optional()
      .describe(`What runs stream to clients that join them. Defaults to the server's choice. ${REMOVAL}`)
      .register(fieldMetadata, { compare: "set", replacesIfRemoved: true }),
    streamSubgraphs: optionalFlag(
      `Whether runs also stream what subgraphs do. Defaults to the server's choice. ${REMOVAL}`,
    ).register(fieldMetadata, { replacesIfRemoved: true }),
    streamResumable: optionalFlag(
      `Whether clients can resume a stream after a lost connection. Defaults to the server's choice. ${REMOVAL}`,
    ).register(fieldMetadata, { replacesIfRemoved: true }),
    extra: extraInput("A change is made in place.", { secret: "sensitive" }),
    sensitive: sensitiveInput("input, context, config, metadata, webhook and extra"),
  })
  .register(fieldMetadata, {
    interface: "CronArgs",
    foreignFields: {
      graphId: "is an input of an Assistant; assistantId accepts the name of a graph.",
      cron: "is not a known field; did you mean schedule?",
    },
  });
export type Inputs = z.infer<typeof inputs>;

export const outputs = z.object({
  ...endpointOutputs("cron"),
  cronId: z.string().describe("ID of the cron.").register(fieldMetadata, { defaultsToId: true, stable: {} }),
  resolvedAssistantId: optionalText(
    "ID of the assistant that runs, also if `assistantId` is the name of a graph; absent if the server does " +
      "not return it.",
  ).register(fieldMetadata, { wireName: "assistantId", contains: ["assistantId"] }),
  nextRunDate: optionalText(
    "When it fires next, in UTC, as of the last change or refresh; without meaning while it is disabled or " +
      "has ended. Absent if the server does not return it.",
  ).register(fieldMetadata, { contains: ["schedule", "timezone"] }),
  userId: optionalText(
    "Identity that created the cron, with which its runs run; absent without authentication.",
  ).register(fieldMetadata, { stable: {} }),
  ...timeOutputs,
});
export type State = z.infer<typeof outputs>;

export const rules: Rule<Inputs>[] = [
  errorRule(["schedule"], ({ schedule }) => checkSchedule(schedule).error),
  textWarning("schedule", (schedule) => checkSchedule(schedule).warning),
  errorRule(["timezone"], ({ timezone }) => (timezone === undefined ? undefined : timeZoneError(timezone))),
  textWarning("timezone", timeZoneWarning),
  errorRule(["context", "config"], ({ context, config }) =>
    isFilled(context) && isFilled(config?.configurable)
      ? "cannot be combined with config.configurable: the server would accept the cron and never start a run. " +
        "Move config.configurable into context."
      : undefined,
  ),
  errorRule(["onRunCompleted", "threadId"], ({ onRunCompleted, threadId }) =>
    onRunCompleted !== undefined && threadId !== undefined
      ? "cannot be combined with threadId: the server ignores it and keeps the thread."
      : undefined,
  ),
  errorRule(["input"], ({ input }) =>
    input === undefined || isPropertyMap(input) || (Array.isArray(input) && input.every(isPropertyMap))
      ? undefined
      : "must be an object, or an array of objects.",
  ),
  ...settingsRules<Inputs>((key, path) =>
    key === "cron_id" && path !== "context"
      ? "is the ID of the cron itself, which the server sets; use another key."
      : undefined,
  ),
  ...nulWarnings<Inputs>("input", "context", "config", "webhook", "metadata"),
  metadataRule(CRON.keys, (key) => (REMOVED_KEYS.has(key) ? REMOVED : undefined)),
  warningRule(["input"], ({ input }) =>
    input === undefined ? "is missing; the runs of many graphs fail without it." : undefined,
  ),
  textWarning(
    "endTime",
    () =>
      "is mishandled by published development servers: there the cron never fires, and it stops all crons " +
      "that were created after it. Test it on your server.",
  ),
  textRejection("webhook", (text) => {
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol))
      return `has the scheme ${url.protocol}, which known servers reject; use https.`;
    return isLoopback(url) ? "is an address of one machine, which known servers reject; use a public host." : undefined;
  }),
  knownValueRule("multitaskStrategy", "CronMultitaskStrategy"),
  knownValueRule("onRunCompleted", "CronOnRunCompleted"),
  knownValueRule("durability", "CronDurability"),
];
