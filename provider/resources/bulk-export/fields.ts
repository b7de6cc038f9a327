/** What a user writes for a BulkExport, and what the service adds (interface section 2 C). */
import { z } from "zod";
import type { Export } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { fieldMetadata } from "../../schema/schema";
import { common, outputs as commonOutputs, time } from "../shared/bulk-exports/fields";
import { toState as commonState } from "../shared/bulk-exports/mapping";

const { bulkExportDestinationId, sessionId, allExperiments, startTime, ...others } = common;

export const inputs = z
  .strictObject({
    bulkExportDestinationId,
    sessionId,
    allExperiments,
    startTime,
    endTime: time.describe("Until when runs are exported, by when they started; UTC, exclusive. A change restarts it."),
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

export function toState(answer: Export, ctx: Context, previous: Partial<State> = {}): State {
  const { rowsWritten, filesWritten, filePrefix } = previous;
  const finishedAt = answer.finishedAt ?? previous.finishedAt;
  return { ...commonState(answer, ctx, previous), finishedAt, rowsWritten, filesWritten, filePrefix };
}
