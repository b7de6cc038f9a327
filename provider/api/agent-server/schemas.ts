/** Threads as agent servers accept and return them (API `2B` and `4B`). */
import { z } from "zod";
import { fieldMetadata } from "../../schema/schema";
import { knownValue } from "../known-values";

const text = z.string().nullish();

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
        "What is deleted when the TTL expires: the thread (`delete`) or all states except the latest (`keep_latest`). Defaults to `delete`.",
      ),
    ttl: z.number().positive().describe("Minutes after the last change of the thread."),
  })
  .register(fieldMetadata, { interface: "ThreadTtlArgs", description: "How long the server keeps a thread." });

export const threadSchema = z.object({
  threadId: z.string(),
  createdAt: text,
  updatedAt: text,
  status: text,
  metadata: threadMetadata.nullish(),
  ttl: threadTtl.nullish(),
  /** Request only. */
  supersteps: z.array(superstep).nullish(),
  /** Request only: the behavior when a thread with this ID exists. */
  ifExists: z.enum(["raise", "do_nothing"]).nullish(),
});
export type Thread = Partial<Omit<z.output<typeof threadSchema>, "supersteps" | "ifExists">> & { threadId: string };
export type ThreadBody = Partial<z.input<typeof threadSchema>>;
