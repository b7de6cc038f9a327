import { z } from "zod";
import { optionalName } from "../schema/optional";
import { fieldMetadata } from "../schema/schema";

/** The vendor-specific values of the interface's two neutral terms. */
export const vocabularySchema = z
  .strictObject({
    githost: optionalName(
      "The server's value for `githost`, the source of hosted git repositories. Default: `githost`.",
    ),
    agentgraph: optionalName(
      "The server's value for `agentgraph`, the prefix of some field names. Default: `agentgraph`.",
    ),
  })
  .register(fieldMetadata, {
    interface: "VocabularyArgs",
    description: "The server's values for two vendor-specific terms.",
  });
export type Vocabulary = Required<z.infer<typeof vocabularySchema>>;
