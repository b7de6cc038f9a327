/** Crons as agent servers accept and return them (API `2B.Cron`). */
import { z } from "zod";
import { freeForm, runConfig } from "./assistant-schemas";

/** What a cron passes to its runs. Servers return these fields only in `payload`. */
export const runFields = {
  input: z.unknown().optional().describe("Input of the runs, in the format of the graph."),
  config: runConfig.optional().describe("Configuration of the runs."),
  context: freeForm.optional().describe("What the graph reads as its context, by key."),
  webhook: z.string().optional().describe("URL that the server requests when a run ends."),
  multitaskStrategy: z
    .string()
    .optional()
    .describe("What happens while the thread is busy: `enqueue`, `reject`, `interrupt` or `rollback`."),
  interruptBefore: z.unknown().optional().describe("Nodes before which runs stop: a list, or `*` for all."),
  interruptAfter: z.unknown().optional().describe("Nodes after which runs stop: a list, or `*` for all."),
  streamMode: z.unknown().optional().describe("What runs stream: one mode, or a list of them."),
  streamSubgraphs: z.boolean().optional().describe("Whether runs stream subgraphs too."),
  streamResumable: z.boolean().optional().describe("Whether the stream of a run can be joined again."),
  durability: z.string().optional().describe("When runs store their state: `sync`, `async` or `exit`."),
};

export const cronFields = {
  assistantId: z.string().optional().describe("ID of the assistant; the default assistant of a graph for its name."),
  schedule: z.string().optional().describe("Schedule in cron format, with five fields."),
  timezone: z.string().optional().describe("Name of the time zone; absent for UTC."),
  endTime: z.string().optional().describe("When the cron ends, as it was set; absent if it does not."),
  enabled: z.boolean().optional().describe("Whether it makes runs."),
  onRunCompleted: z
    .string()
    .optional()
    .describe("What becomes of the thread of a run: `delete` or `keep`. Absent for a cron on a thread."),
  metadata: freeForm
    .optional()
    .describe("Metadata by key, which its runs and threads inherit. Keys keep their spelling."),
};

/** The body of a create and of an update. Null removes the end. */
export const cronBodySchema = z.object({
  ...cronFields,
  ...runFields,
  endTime: z.string().nullable().optional(),
});
export type CronBody = z.input<typeof cronBodySchema>;

/** What servers return. `payload` is the body of the requests. */
export const cronSchema = z.object({
  cronId: z.string(),
  ...cronFields,
  threadId: z.string().optional(),
  userId: z.string().optional(),
  payload: z.object({ ...cronFields, ...runFields }).optional(),
  nextRunDate: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

export const cronQuerySchema = z.object({
  /** A UUID: servers reject the name of a graph. */
  assistantId: z.string().optional(),
  threadId: z.string().optional(),
  enabled: z.boolean().optional(),
  metadata: freeForm.optional(),
});
export type CronQuery = z.input<typeof cronQuerySchema>;
