/** Inputs and outputs of a BulkExport (API `2C`). */
import { z } from "zod";
import { fieldMetadata, optionalText } from "../../schema/schema";
import { outputs as commonOutputs, exportInputs } from "../exports/fields";
import { stateOf } from "../exports/mapping";

const { intervalHours: _, ...ownInputs } = exportInputs;

export const inputs = z
  .strictObject({
    ...ownInputs,
    waitFor: z
      .enum(["none", "completed"])
      .optional()
      .describe(
        "What create and update wait for: the end of the export (`completed`), for at most customTimeouts (75 " +
          "minutes by default), or nothing (`none`). Defaults to `none`.",
      )
      .register(fieldMetadata, { effect: "none" }),
  })
  .register(fieldMetadata, {
    interface: "BulkExportArgs",
    foreignFields: { intervalHours: "belongs to a schedule: declare a ScheduledBulkExport without endTime." },
  });
export type Inputs = z.infer<typeof inputs>;

export const outputs = z.object({
  ...commonOutputs,
  finishedAt: optionalText("Time at which the export ended; absent until then."),
  rowsWritten: z
    .number()
    .optional()
    .describe("Number of runs in the files; absent until the export is read as completed."),
  filePrefix: optionalText(
    "Common prefix of the keys of all files in the bucket, such as `<prefix>/export_id=<id>/`; absent until " +
      "the export is read as completed.",
  ),
  filesWritten: z
    .int()
    .optional()
    .describe("Number of files in the bucket; absent until the export is read as completed."),
});
export type State = z.infer<typeof outputs>;
export const toState = stateOf<State>(outputs);
