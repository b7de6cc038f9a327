/** Threads as agent servers accept and return them, and their states with all fields (API `2B` and `4B`). */
import { z } from "zod";
import { fieldMetadata, optionalText, type PropertyMap } from "../../schema/schema";
import type { DeepPartialNullable } from "../json-client";
import { knownValue } from "../known-values";
import { freeForm } from "./assistants";

/**
 * Keys that servers in Python remove without an error, also in `config.metadata` (API
 * `2B.Assistant.metadata:reserved`, `2B.Thread.metadata:reserved`).
 */
export const REMOVED_KEYS: ReadonlySet<string> = new Set([
  ...["assistant_id", "thread_id", "run_id", "cron_id"],
  "counters_since_delta_snapshot",
]);

/** The user's own keys stay as written; the one key that the interface defines follows the vocabulary. */
export const threadMetadata = z
  .looseObject({
    agentgraph_auth_user_id: z
      .unknown()
      .optional()
      .describe("ID of the authenticated owner, set by custom authentication."),
  })
  .register(fieldMetadata, { interface: "ThreadMetadataArgs" });

export const superstep = z
  .strictObject({
    updates: z
      .array(
        z
          .strictObject({
            values: z
              .record(z.string(), z.unknown())
              .optional()
              .describe("State values, in the format of the graph. Specify either `values` or `command`."),
            command: z
              .record(z.string(), z.unknown())
              .optional()
              .describe("Command in the format of the graph (`update`, `goto`, `resume`), instead of `values`."),
            asNode: z.string().min(1).describe("Name of the node to which the update is attributed."),
          })
          .register(fieldMetadata, {
            interface: "ThreadUpdateArgs",
            description: "Values that a node writes to the state, or a command.",
          }),
      )
      .min(1)
      .describe("Updates that are applied together."),
  })
  .register(fieldMetadata, {
    interface: "ThreadSuperstepArgs",
    description: "Updates of the initial state that are applied together.",
  });

export const threadTtl = z
  .strictObject({
    strategy: knownValue("ThreadTtlStrategy")
      .optional()
      .describe(
        "What is deleted when the TTL expires: the thread (`delete`) or all states except the latest " +
          "(`keep_latest`). Defaults to `delete`.",
      )
      .register(fieldMetadata, { absentMeans: "delete" }),
    ttl: z.number().positive().describe("Minutes from the request that sets it."),
  })
  .register(fieldMetadata, { interface: "ThreadTtlArgs", description: "How long the server keeps a thread." });

/** A TTL in a response (API `2B.Thread.ttl:response`), or in the form of requests, which other servers return. */
const receivedTtl = threadTtl.partial().extend({ ttlMinutes: z.number().optional() });

export const threadBodySchema = z.object({
  threadId: z.string(),
  metadata: threadMetadata,
  ttl: threadTtl.nullable(),
  supersteps: z.array(superstep),
  ifExists: z.enum(["raise", "do_nothing"]),
});
export type ThreadBody = Partial<z.input<typeof threadBodySchema>> & { extra?: PropertyMap | undefined };

/** Returns the TTL of a response in the form of requests. */
export function toTtl(ttl: DeepPartialNullable<z.infer<typeof receivedTtl>> | null | undefined): Thread["ttl"] {
  const minutes = ttl?.ttl ?? ttl?.ttlMinutes;
  if (ttl == null || minutes == null) return ttl === null ? null : undefined;
  return { ...(ttl.strategy != null && { strategy: ttl.strategy }), ttl: minutes };
}

export const threadInfoSchema = z
  .object({
    threadId: z.string().describe("ID of the thread."),
    status: knownValue("ThreadStatus").optional().describe("Status: `idle`, `busy`, `interrupted` or `error`."),
    metadata: threadMetadata.optional().describe("Metadata by key. Keys keep their spelling."),
    values: freeForm
      .optional()
      .describe("Current state values, in the format of the graph; absent where the server does not return them."),
    config: freeForm.optional().describe("Configuration of the last run; absent where the server does not return it."),
    ttl: threadTtl
      .optional()
      .describe(
        "Time to live. Absent where the thread has none, where the server does not return it, and when " +
          "several threads are read at once.",
      ),
    createdAt: optionalText("Time of creation."),
    updatedAt: optionalText("Time of the last change."),
  })
  .register(fieldMetadata, { interface: "ThreadInfo", description: "A thread of an agent server." });

/** The same as servers return it. */
export const threadResponseSchema = threadInfoSchema.extend({ ttl: receivedTtl.optional() });

const checkpointSchema = z
  .looseObject({
    checkpointId: optionalText("ID of the checkpoint."),
    threadId: optionalText("ID of the thread."),
    checkpointNs: optionalText("Namespace of the subgraph; empty for the graph itself."),
  })
  .register(fieldMetadata, { interface: "CheckpointInfo" });

export const threadStateSchema = z
  .object({
    values: freeForm.optional().describe("State values, in the format of the graph."),
    next: z.array(z.string()).optional().describe("Nodes that run next; empty when the graph has finished."),
    tasks: z
      .array(freeForm)
      .optional()
      .describe("Pending tasks, each with its `name`, `error` and `interrupts`, as the server returns them."),
    metadata: z
      .looseObject({
        threadId: optionalText("ID of the thread."),
        checkpointId: optionalText("ID of the checkpoint."),
        graphId: optionalText("ID of the graph that wrote the state."),
        source: optionalText("What wrote the state, such as `input`, `loop` or `update`."),
        step: z.number().optional().describe("Number of the step: -1 for the input, then from 0."),
        writes: freeForm.optional().describe("Values that were written, by node."),
        parents: freeForm.optional().describe("Checkpoints of the enclosing graphs of a subgraph, by namespace."),
      })
      .register(fieldMetadata, { interface: "ThreadStateMetadataInfo" })
      .optional()
      .describe("Origin of the state; further keys keep their spelling. Absent where the thread has no checkpoint."),
    createdAt: optionalText("Time of writing; absent where the thread has no checkpoint."),
    checkpoint: checkpointSchema
      .optional()
      .describe("Checkpoint of the state; absent where the thread has no checkpoint."),
    parentCheckpoint: checkpointSchema.optional().describe("Previous checkpoint; absent for the first."),
    checkpointId: optionalText("ID of the checkpoint, for `checkpointId` of `getThreadState`."),
    parentCheckpointId: optionalText("ID of the previous checkpoint; absent for the first."),
  })
  .register(fieldMetadata, { interface: "ThreadStateInfo", description: "The state of a thread at a checkpoint." });

export const threadSearchSchema = z.object({
  ids: z.array(z.string()).optional(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
  metadata: threadMetadata.optional(),
  sortBy: z.enum(["thread_id", "status", "created_at", "updated_at", "state_updated_at"]).optional(),
  sortOrder: z.enum(["asc", "desc"]).optional(),
  limit: z.int(),
  offset: z.int().optional(),
});

export type ThreadQuery = Omit<z.input<typeof threadSearchSchema>, "limit" | "offset">;
export type Thread = DeepPartialNullable<Omit<z.infer<typeof threadInfoSchema>, "ttl">> & {
  threadId: string;
  ttl?: z.output<typeof threadTtl> | null | undefined;
};
export type ThreadStateInfo = DeepPartialNullable<z.infer<typeof threadStateSchema>>;
