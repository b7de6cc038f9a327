/** Inputs and outputs of a BulkExportDestination (API `2C`). */
import { z } from "zod";
import { knownValue } from "../../api/known-values";
import { s3Config } from "../../api/tracing/schemas";
import { errorRule, knownValueRule, type Rule, textRejection, textWarning, warningRule } from "../../definition/rules";
import { extraInput } from "../../schema/extra";
import { fieldMetadata, optionalFlag, optionalName } from "../../schema/schema";
import { timeOutputs } from "../../schema/timestamp";

const secretName = (description: string) =>
  z.string().min(1).describe(description).register(fieldMetadata, { secret: true });

const credentials = z
  .strictObject({
    accessKeyId: secretName("ID of the access key that can write to the bucket. Secret."),
    secretAccessKey: secretName("Secret part of the access key. Secret."),
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
        "Type of the object store: `s3`, including other stores with an S3-compatible API. A change replaces " +
          "the destination.",
      )
      .register(fieldMetadata, { replaces: true }),
    displayName: z
      .string()
      .min(1)
      .describe(
        "Display name: letters, digits, spaces, hyphens, underscores and apostrophes. A change replaces the " +
          "destination.",
      )
      .register(fieldMetadata, { replaces: true }),
    config: s3Config
      .describe("Location of the files. A change replaces the destination and restarts its exports.")
      .register(fieldMetadata, { replaces: true }),
    credentials: credentials
      .optional()
      .describe(
        "Access key with write access to the bucket, stored as a secret. The server tests it before it saves " +
          "it. Changes in place, as a whole. Defaults to `awsRoleArn`, or to what the server itself may write " +
          "to.",
      )
      .register(fieldMetadata, { writeOnly: "sent" }),
    awsRoleArn: optionalName(
      "Role that the platform assumes in place of an access key, as `arn:aws:iam::…`. The server tests it " +
        "before it saves it. Changes in place, also to and from `credentials`.",
    ),
    extra: extraInput("A change replaces the destination.", { replaces: true }),
    allowDuplicate: optionalFlag(
      "Whether to create the destination even if an equivalent one already exists in the workspace. Defaults " +
        "to false. Has no effect on an existing destination.",
    ).register(fieldMetadata, { effect: "none" }),
    adoptExisting: optionalFlag(
      "Whether to manage the identical destination of the workspace if there is one, instead of creating " +
        "another, and to leave the destination on the server in a destroy. The declared credentials are tested " +
        "and stored in it. Several stacks may share it. Defaults to false, so an identical destination is an " +
        "error. Has no effect on an existing destination until it is destroyed.",
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

/** API `2C.Destination.display_name:form`. */
const DISPLAY_NAME = /^[a-zA-Z0-9\-_ ']+$/;
/** 3 to 63 characters (API `2C.Destination.config:bounds`), as object stores take them. */
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export const rules: Rule<Inputs>[] = [
  errorRule(["credentials", "awsRoleArn"], ({ credentials, awsRoleArn }, previous) => {
    if (credentials && awsRoleArn !== undefined) return "cannot be combined with awsRoleArn: specify one of the two.";
    const hadOne = previous.credentials !== undefined || previous.awsRoleArn !== undefined;
    return hadOne && !credentials && awsRoleArn === undefined
      ? "cannot be removed: the server keeps it. Keep it, or declare awsRoleArn or credentials in its place."
      : undefined;
  }),
  warningRule(["credentials", "awsRoleArn"], ({ credentials, awsRoleArn }) =>
    credentials || awsRoleArn !== undefined
      ? undefined
      : "is absent, and so is awsRoleArn: the server needs access to the bucket by itself, as some self-hosted " +
        "ones have.",
  ),
  textRejection("awsRoleArn", (arn) =>
    /^arn:[^:]+:iam::\d{12}:role\/.+$/.test(arn)
      ? undefined
      : "is not the ARN of a role; expected arn:aws:iam::123456789012:role/name.",
  ),
  errorRule(["adoptExisting", "allowDuplicate"], ({ adoptExisting, allowDuplicate }) =>
    adoptExisting && allowDuplicate ? "cannot be combined with allowDuplicate: specify one of the two." : undefined,
  ),
  knownValueRule("destinationType", "BulkExportDestinationType"),
  knownValueRule("config.configKwargsS3.addressingStyle", "S3AddressingStyle"),
  textRejection("displayName", (name) =>
    DISPLAY_NAME.test(name)
      ? undefined
      : "servers accept only letters, digits, spaces, hyphens, underscores and apostrophes.",
  ),
  textRejection("config.bucketName", (name) =>
    BUCKET_NAME.test(name)
      ? undefined
      : "is not a valid bucket name: use 3 to 63 lowercase letters, digits, dots and hyphens, starting and " +
        "ending with a letter or digit, without s3:// or a path.",
  ),
  textWarning("config.prefix", (prefix) =>
    prefix.startsWith("/")
      ? `starts with a slash, which creates a folder without a name; use "${prefix.replace(/^\/+/, "")}".`
      : undefined,
  ),
  textRejection("config.endpointUrl", (url) =>
    /^https?:\/\/[^/]/.test(url) ? undefined : "is not a valid URL; expected https://host.",
  ),
  {
    paths: ["config.region", "config.endpointUrl"],
    severity: "warning",
    check: ({ config: { region, endpointUrl } }) => {
      if (region !== undefined && endpointUrl !== undefined) {
        const reason =
          "applies to the cloud object store, and endpointUrl to any other store; if both are set, " +
          "endpointUrl determines the store.";
        return { path: "config.region", reason };
      }
      if (region !== undefined || endpointUrl !== undefined) return undefined;
      return {
        path: "config",
        reason:
          "has neither region (for the cloud object store) nor endpointUrl (for any other store), so the " +
          "server has to guess the location of the bucket.",
      };
    },
  },
];
