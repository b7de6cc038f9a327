/** The input `keepConversations` of a Deployment, and the outputs about it. */
import { z } from "zod";
import { fieldMetadata, optionalFlag, optionalText } from "../../../schema/schema";
import { duration } from "./verify";

const place = z
  .strictObject({
    at: z
      .string()
      .min(1)
      .describe(
        "Where the backups are: a folder, relative to the program's folder, or `s3://bucket/prefix`. In a " +
          "pipeline, a folder is accepted as a `file:` URL only, since most pipelines delete theirs.",
      ),
    waiting: z
      .enum(["askAgain", "leave"])
      .optional()
      .describe(
        "What happens on the new deployment to threads that wait for an answer: their nodes run again up to " +
          "the question (`askAgain`), or they have the state before it and ask with their next run (`leave`). " +
          "Without it, a replacement fails before anything is lost if there are any.",
      ),
    busy: duration("How long to wait for a thread that a run writes to, such as `10m`. Defaults to 10 minutes."),
    allowEmpty: optionalFlag(
      "Whether a deployment may be deleted of which the API key sees no thread: where users own their " +
        "threads, a key may see none although there are some. Defaults to false.",
    ),
  })
  .register(fieldMetadata, {
    interface: "KeepConversationsArgs",
    description: "Where the conversations of a deployment are kept when it is replaced or deleted.",
  });

export type KeepConversations = z.infer<typeof place>;

export const keepConversations = place
  .optional()
  .describe(
    "Keeps the conversations, assistants, stored items and crons of the deployment when it is replaced or " +
      "deleted: each delete first makes a complete backup, or fails, and a create restores the last one of this " +
      "resource that was not restored yet. Defaults to losing them.",
  )
  .register(fieldMetadata, { effect: "none" });

export const conversationOutputs = {
  movedFrom: z
    .array(z.string())
    .optional()
    .describe("IDs of the deployments whose conversations it has, the oldest first; absent if there are none.")
    .register(fieldMetadata, { stable: {} }),
  pendingConversations: optionalText(
    "Place of the backup whose conversations the next update restores; absent if there is none.",
  ).register(fieldMetadata, { contains: ["keepConversations"] }),
};
