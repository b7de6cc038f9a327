/** The bucket that a destination writes to (API `2C` and `4C`). */
import { z } from "zod";
import { optionalFlag, optionalName, optionalText } from "../../schema/optional";
import { fieldMetadata } from "../../schema/schema";
import { knownValue } from "../known-values";

const addressing = z
  .looseObject({
    addressingStyle: knownValue("S3AddressingStyle")
      .optional()
      .describe(
        "Where URLs contain the bucket name: in the host name (`virtual`), in the path (`path`), or chosen by the server (`auto`). Defaults to `auto`.",
      ),
  })
  .register(fieldMetadata, { interface: "S3ConfigKwargsArgs" });

export const s3Config = z
  .strictObject({
    bucketName: z.string().min(1).describe("Name of an existing bucket, 3 to 63 characters."),
    prefix: optionalText(
      "Prefix of the keys in the bucket, without a leading slash. Defaults to the root of the bucket.",
    ),
    region: optionalName("Region of the bucket. For other S3-compatible stores, set `endpointUrl` instead."),
    endpointUrl: optionalName("URL of another S3-compatible store. Defaults to the cloud object store."),
    includeBucketInPrefix: optionalFlag(
      "Whether keys begin with the bucket name. Set to false if `endpointUrl` already contains the bucket. Defaults to true.",
    ),
    configKwargsS3: addressing
      .optional()
      .describe("Options of the server's S3 client. Further keys are passed through unchanged."),
    s3AdditionalKwargs: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Further arguments of each upload, such as encryption, under the names of the server's S3 client."),
  })
  .register(fieldMetadata, {
    interface: "BulkExportDestinationConfigArgs",
    description: "A bucket, and how the server accesses it.",
  });
