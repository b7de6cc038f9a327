/** Warnings about a destination that is probably wrong. The server tests it, so none of them is an error. */
import type { Rule } from "../../definition/rule";
import { knownValueRule } from "../shared/rules";
import type { Inputs } from "./fields";

/** API `2C.Destination.display_name:form`. */
const DISPLAY_NAME = /^[a-zA-Z0-9\-_ ']+$/;
/** 3 to 63 characters (API `2C.Destination.config:bounds`), as object stores take them. */
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const warning = (paths: string[], check: (inputs: Inputs) => { path: string; reason: string } | undefined) =>
  ({ paths, severity: "warning", check }) satisfies Rule<Inputs>;

export const rules: Rule<Inputs>[] = [
  {
    paths: ["adoptExisting", "allowDuplicate"],
    check: ({ adoptExisting, allowDuplicate }) =>
      adoptExisting && allowDuplicate
        ? { path: "adoptExisting", reason: "cannot be combined with allowDuplicate: specify one of the two." }
        : undefined,
  },
  knownValueRule("destinationType", "BulkExportDestinationType"),
  knownValueRule("config.configKwargsS3.addressingStyle", "S3AddressingStyle"),
  warning(["displayName"], ({ displayName }) =>
    DISPLAY_NAME.test(displayName)
      ? undefined
      : {
          path: "displayName",
          reason: "servers accept only letters, digits, spaces, hyphens, underscores and apostrophes.",
        },
  ),
  warning(["config.bucketName"], ({ config }) =>
    BUCKET_NAME.test(config.bucketName)
      ? undefined
      : {
          path: "config.bucketName",
          reason:
            "is not a valid bucket name: use 3 to 63 lowercase letters, digits, dots and hyphens, starting and ending with a letter or digit, without s3:// or a path.",
        },
  ),
  warning(["config.prefix"], ({ config }) =>
    config.prefix?.startsWith("/")
      ? {
          path: "config.prefix",
          reason: `starts with a slash, which creates a folder without a name; use "${config.prefix.replace(/^\/+/, "")}".`,
        }
      : undefined,
  ),
  warning(["config.endpointUrl"], ({ config }) =>
    config.endpointUrl === undefined || /^https?:\/\/[^/]/.test(config.endpointUrl)
      ? undefined
      : { path: "config.endpointUrl", reason: "is not a valid URL; expected https://host." },
  ),
  warning(["config.region", "config.endpointUrl"], ({ config: { region, endpointUrl } }) => {
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
  }),
];
