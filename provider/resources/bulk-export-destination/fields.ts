/** Inputs and outputs of a BulkExportDestination (API `2C`). */
import { z } from "zod";
import { knownValue } from "../../api/known-values";
import { s3Config } from "../../api/tracing/schemas";
import { optionalFlag, optionalName } from "../../schema/optional";
import { fieldMetadata } from "../../schema/schema";
import { timeOutputs } from "../../schema/time-fields";

const credentials = z
  .strictObject({
    accessKeyId: z
      .string()
      .min(1)
      .describe("ID of the access key that can write to the bucket. Secret.")
      .register(fieldMetadata, { secret: true }),
    secretAccessKey: z
      .string()
      .min(1)
      .describe("Secret part of the access key. Secret.")
      .register(fieldMetadata, { secret: true }),
    sessionToken: optionalName(
      "Session token of temporary credentials. Secret. Exports fail after it expires.",
    ).register(fieldMetadata, { secret: true }),
  })
  .register(fieldMetadata, {
    interface: "BulkExportDestinationCredentialsArgs",
    description: "An access key for a bucket.",
  });

export const inputs = z
  .strictObject({
    destinationType: knownValue("BulkExportDestinationType")
      .describe(
        "Type of the object store: `s3`, including other stores with an S3-compatible API. A change replaces the destination.",
      )
      .register(fieldMetadata, { replaces: true }),
    displayName: z
      .string()
      .min(1)
      .describe(
        "Display name: letters, digits, spaces, hyphens, underscores and apostrophes. A change replaces the destination.",
      )
      .register(fieldMetadata, { replaces: true }),
    config: s3Config
      .describe("Location of the files. A change replaces the destination and restarts its exports.")
      .register(fieldMetadata, { replaces: true }),
    credentials: credentials
      .describe(
        "Access key with write access to the bucket, stored as a secret. The server tests it before it saves it. Changes in place, as a whole.",
      )
      .register(fieldMetadata, { writeOnly: "sent" }),
    allowDuplicate: optionalFlag(
      "Whether to create the destination even if an equivalent one already exists in the workspace. Defaults to false. Has no effect on an existing destination.",
    ).register(fieldMetadata, { effect: "none" }),
    adoptExisting: optionalFlag(
      "Whether to manage the identical destination of the workspace if there is one, instead of creating another, and to leave the destination on the server in a destroy. The declared credentials are tested and stored in it. Several stacks may share it. Defaults to false, so an identical destination is an error. Has no effect on an existing destination until it is destroyed.",
    ).register(fieldMetadata, { effect: "none" }),
  })
  .register(fieldMetadata, { interface: "BulkExportDestinationArgs" });
export type Inputs = z.infer<typeof inputs>;

export const outputs = z.object({
  tenantId: z
    .string()
    .describe("ID of the workspace that owns the destination.")
    .register(fieldMetadata, { stable: {} }),
  adopted: optionalFlag(
    "Whether `adoptExisting` found the destination, so that a destroy leaves it on the server; absent if not.",
  ).register(fieldMetadata, { stable: {} }),
  credentialsKeys: z
    .array(z.string())
    .optional()
    .describe("Names of the stored credentials in the API's spelling; absent if the server does not return them."),
  ...timeOutputs,
});
export type State = z.infer<typeof outputs>;
