/** What an agent server sends and takes, in our names (interface section 2 B, interface-notes section 4). */
import { z } from "zod";
import { fieldMetadata } from "../../schema/schema";
import { knownValue } from "../known-values";

const text = z.string().nullish();

/** The user's own keys stand as they are written; the one key that the interface owns follows the vocabulary. */
export const threadMetadata = z
  .looseObject({
    agentgraph_auth_user_id: z
      .unknown()
      .optional()
      .describe("The authenticated owner, which custom authentication sets by itself."),
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
              .describe("State values, in the graph's own form. Either these or `command`."),
            command: z
              .record(z.string(), z.unknown())
              .optional()
              .describe("A command in the graph's own form (`update`, `goto`, `resume`), instead of `values`."),
            asNode: z.string().min(1).describe("Name of the node that the update is attributed to."),
          })
          .register(fieldMetadata, { interface: "ThreadUpdateArgs" }),
      )
      .min(1)
      .describe("Updates that are applied together."),
  })
  .register(fieldMetadata, { interface: "ThreadSuperstepArgs" });

export const threadTtl = z
  .strictObject({
    strategy: knownValue("ThreadTtlStrategy")
      .optional()
      .describe(
        "What happens then: the thread goes (`delete`, when absent), or all but its latest state (`keep_latest`).",
      ),
    ttl: z.number().positive().describe("Minutes after its last change."),
  })
  .register(fieldMetadata, { interface: "ThreadTtlArgs" });

export const threadSchema = z.object({
  threadId: z.string(),
  createdAt: text,
  updatedAt: text,
  status: text,
  metadata: threadMetadata.nullish(),
  ttl: threadTtl.nullish(),
  /** Sent only. */
  supersteps: z.array(superstep).nullish(),
  /** Sent only: what to do where there is one of this id. */
  ifExists: z.enum(["raise", "do_nothing"]).nullish(),
});
export type Thread = Partial<Omit<z.output<typeof threadSchema>, "supersteps" | "ifExists">> & { threadId: string };
export type ThreadBody = Partial<z.input<typeof threadSchema>>;
