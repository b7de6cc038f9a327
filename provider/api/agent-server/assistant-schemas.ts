/** Assistants as agent servers accept and return them (API `2B.Assistant`). */
import { z } from "zod";
import { fieldMetadata } from "../../schema/schema";

/** Keys of users at every level, which keep their spelling. */
export const freeForm = z.record(z.string(), z.unknown());

/** The configuration of runs; keys that are not named here keep their spelling. */
export const runConfig = z
  .looseObject({
    tags: z.array(z.string()).optional().describe("Tags of the runs."),
    recursionLimit: z.int().positive().optional().describe("Maximum number of steps of a run."),
    configurable: freeForm
      .optional()
      .describe("Values that the graph reads from its configuration, by key. Graphs with a context read that instead."),
  })
  .register(fieldMetadata, { interface: "RunConfigArgs", description: "The configuration of runs." });

export const assistantInfoSchema = z
  .object({
    assistantId: z.string().describe("ID of the assistant."),
    graphId: z.string().optional().describe("Name of the graph that it configures."),
    name: z.string().optional().describe("Name; several assistants may have the same."),
    description: z.string().optional().describe("Description; absent where it has none."),
    config: runConfig.optional().describe("Configuration of its runs."),
    context: freeForm.optional().describe("What the graph reads as its context, by key."),
    metadata: freeForm.optional().describe("Metadata by key, which its runs inherit. Keys keep their spelling."),
    version: z.number().optional().describe("Number of its version."),
    createdAt: z.string().optional().describe("Time of creation."),
    updatedAt: z.string().optional().describe("Time of the last change; absent for an older version."),
  })
  .register(fieldMetadata, { interface: "AssistantVersionInfo", description: "A version of an assistant." });

/** The body of a create and of an update. */
export const assistantBodySchema = z.object({
  /** Create only. */
  assistantId: z.string().optional(),
  graphId: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  config: runConfig.optional(),
  context: freeForm.optional(),
  metadata: freeForm.optional(),
  /** Create only: the behavior when an assistant with this ID exists. */
  ifExists: z.enum(["raise", "do_nothing"]).optional(),
});
export type AssistantBody = z.input<typeof assistantBodySchema>;

export const assistantQuerySchema = z.object({
  graphId: z.string().optional(),
  /** A part of the name, in any case. */
  name: z.string().optional(),
  metadata: freeForm.optional(),
});
export type AssistantQuery = z.input<typeof assistantQuerySchema>;

export const assistantSchemasSchema = z
  .object({
    graphId: z.string().optional().describe("Name of the graph."),
    inputSchema: freeForm.optional().describe("JSON Schema of the input."),
    outputSchema: freeForm.optional().describe("JSON Schema of the output."),
    stateSchema: freeForm.optional().describe("JSON Schema of the state."),
    configSchema: freeForm.optional().describe("JSON Schema of `config.configurable`."),
    contextSchema: freeForm.optional().describe("JSON Schema of `context`; absent where the graph has none."),
  })
  .register(fieldMetadata, { interface: "AssistantSchemas", description: "What the graph of an assistant accepts." });
