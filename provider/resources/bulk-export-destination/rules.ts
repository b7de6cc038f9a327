/** Warnings about a destination that is probably wrong. The server tests it, so none of them is an error. */
import type { Rule } from "../../definition/rule";
import { errorRule, knownValueRule, textRejection, textWarning } from "../../definition/rules";
import type { Inputs } from "./fields";

/** API `2C.Destination.display_name:form`. */
const DISPLAY_NAME = /^[a-zA-Z0-9\-_ ']+$/;
/** 3 to 63 characters (API `2C.Destination.config:bounds`), as object stores take them. */
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export const rules: Rule<Inputs>[] = [
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
      : "is not a valid bucket name: use 3 to 63 lowercase letters, digits, dots and hyphens, starting and ending with a letter or digit, without s3:// or a path.",
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
          "applies to the cloud object store, and endpointUrl to any other store; if both are set, endpointUrl determines the store.";
        return { path: "config.region", reason };
      }
      if (region !== undefined || endpointUrl !== undefined) return undefined;
      return {
        path: "config",
        reason:
          "has neither region (for the cloud object store) nor endpointUrl (for any other store), so the server has to guess the location of the bucket.",
      };
    },
  },
];
