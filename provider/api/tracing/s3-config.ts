/** Where a destination writes: a bucket of an object store (interface section 2 C, interface-notes section 3). */
import { z } from "zod";
import { fieldMetadata } from "../../schema/schema";
import { knownValue } from "../known-values";

const addressing = z
  .looseObject({
    addressingStyle: knownValue("S3AddressingStyle")
      .optional()
      .describe(
        "How the bucket stands in addresses: in the host name (`virtual`), in the path (`path`), or as the service finds best (`auto`, when absent).",
      ),
  })
  .register(fieldMetadata, { interface: "S3ConfigKwargsArgs" });

export const s3Config = z
  .strictObject({
    bucketName: z.string().min(1).describe("Name of the bucket, 3 to 63 characters; it must exist."),
    prefix: z
      .string()
      .optional()
      .describe("Where in the bucket the files begin, without a leading slash; its root when absent."),
    region: z
      .string()
      .min(1)
      .optional()
      .describe("Region of the bucket at the cloud object store; for other stores write `endpointUrl`."),
    endpointUrl: z
      .string()
      .min(1)
      .optional()
      .describe("Address of another object store that speaks the same protocol; the cloud object store when absent."),
    includeBucketInPrefix: z
      .boolean()
      .optional()
      .describe(
        "Whether the bucket's name stands before the prefix; write false where `endpointUrl` already holds the bucket. True when absent.",
      ),
    configKwargsS3: addressing
      .optional()
      .describe("How the service's client speaks to the store; further keys go to it as they are written."),
    s3AdditionalKwargs: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Further arguments of each upload, such as encryption, as the service's client names them."),
  })
  .register(fieldMetadata, { interface: "BulkExportDestinationConfigArgs" });
