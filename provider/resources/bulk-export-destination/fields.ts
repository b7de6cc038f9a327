/** What a user writes for a BulkExportDestination, and what the service adds (interface section 2 C). */
import { z } from "zod";
import { knownValue } from "../../api/known-values";
import { s3Config } from "../../api/tracing/s3-config";
import { fieldMetadata } from "../../schema/schema";

const credentials = z
  .strictObject({
    accessKeyId: z.string().min(1).describe("Id of the key that writes to the bucket. Secret."),
    secretAccessKey: z.string().min(1).describe("The key itself. Secret."),
    sessionToken: z
      .string()
      .min(1)
      .optional()
      .describe("Token of temporary credentials; none when absent. Secret. Exports fail once it has expired."),
  })
  .register(fieldMetadata, { interface: "BulkExportDestinationCredentialsArgs" });

export const inputs = z
  .strictObject({
    destinationType: knownValue("BulkExportDestinationType").describe(
      "Type of the object store: `s3`, also for other stores with its API. A change replaces the destination.",
    ),
    displayName: z
      .string()
      .min(1)
      .describe("Name that people see: letters, digits, spaces, - _ and '. A change replaces the destination."),
    config: s3Config.describe("Where the files go. A change replaces the destination and restarts its exports."),
    credentials: credentials.describe(
      "Key that may write to the bucket; it is kept secret, tested before it is stored, and changed in place as a whole.",
    ),
    allowDuplicate: z
      .boolean()
      .optional()
      .describe(
        "Whether it is created although an equal destination is in the workspace already; false when absent. Changes nothing on the service.",
      ),
  })
  .register(fieldMetadata, { interface: "BulkExportDestinationArgs" });
export type Inputs = z.infer<typeof inputs>;

export const outputs = z.object({
  tenantId: z.string().describe("Workspace that owns the destination."),
  credentialsKeys: z
    .array(z.string())
    .optional()
    .describe("Names of the stored credentials, as the service spells them; absent where it does not tell."),
  createdAt: z.string().optional().describe("When it was created; absent where the service does not tell."),
  updatedAt: z.string().optional().describe("When it was last changed; absent where the service does not tell."),
});
export type State = z.infer<typeof outputs>;
