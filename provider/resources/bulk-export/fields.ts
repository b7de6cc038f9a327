/** What a user writes for a BulkExport, and what the service adds (interface section 2 C). */
import { z } from "zod";
import type { Export } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { fieldMetadata } from "../../schema/schema";
import { commonInputs, outputs as commonOutputs, timestamp } from "../shared/bulk-exports/fields";
import { toState as commonState } from "../shared/bulk-exports/mapping";

const { bulkExportDestinationId, sessionId, allExperiments, startTime, ...others } = commonInputs;

export const inputs = z
  .strictObject({
    bulkExportDestinationId,
    sessionId,
    allExperiments,
    startTime,
    endTime: timestamp.describe(
      "Until when runs are exported, by when they started; UTC, exclusive. A change restarts it.",
    ),
    ...others,
    waitFor: z
      .enum(["none", "completed"])
      .optional()
      .describe(
        "What create and update wait for: the end of the export (`completed`), at most as long as customTimeouts says (75 min when absent), or nothing (`none`, when absent).",
      ),
  })
  .register(fieldMetadata, { interface: "BulkExportArgs" });
export type Inputs = z.infer<typeof inputs>;

export const outputs = z.object({
  ...commonOutputs,
  finishedAt: z.string().optional().describe("When it ended; absent until then."),
  rowsWritten: z.number().optional().describe("Runs in its files; absent until it is seen completed."),
  filePrefix: z
    .string()
    .optional()
    .describe(
      "Where its files are in the bucket: what all their keys begin with, as `<prefix>/export_id=<id>/`; absent until it is seen completed.",
    ),
  filesWritten: z.number().optional().describe("Files in the bucket; absent until it is seen completed."),
});
export type State = z.infer<typeof outputs>;

export function toState(remote: Export, ctx: Context, previous: Partial<State> = {}): State {
  const { rowsWritten, filesWritten, filePrefix } = previous;
  const finishedAt = remote.finishedAt ?? previous.finishedAt;
  return { ...commonState(remote, ctx, previous), finishedAt, rowsWritten, filesWritten, filePrefix };
}
