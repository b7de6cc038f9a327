import { z } from "zod";
import { fieldMetadata } from "../schema/schema";

/** How a live service spells the two neutral words of the interface. */
export const vocabularySchema = z
  .strictObject({
    githost: z
      .string()
      .min(1)
      .optional()
      .describe("How the service writes `githost`, the source of hosted git repositories; `githost` when absent."),
    agentgraph: z
      .string()
      .min(1)
      .optional()
      .describe(
        "How the service writes `agentgraph`, with which some of its field names begin; `agentgraph` when absent.",
      ),
  })
  .register(fieldMetadata, { interface: "VocabularyArgs" });
export type Vocabulary = Required<z.infer<typeof vocabularySchema>>;
