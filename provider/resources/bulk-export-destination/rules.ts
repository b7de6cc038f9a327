/** What is probably wrong with a destination. The service knows best and tests it, so all of this only warns. */
import type { Rule } from "../../definition/definition";
import { knownValueRule } from "../shared/text-rules";
import type { Inputs } from "./fields";

/** Interface-notes section 3. */
const DISPLAY_NAME = /^[a-zA-Z0-9\-_ ']+$/;
/** 3 to 63 characters (interface-notes section 3), as object stores take them. */
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const warning = (paths: string[], check: (inputs: Inputs) => { path: string; reason: string } | undefined) =>
  ({ paths, severity: "warning", check }) satisfies Rule<Inputs>;

export const rules: Rule<Inputs>[] = [
  knownValueRule("destinationType", "BulkExportDestinationType"),
  knownValueRule("config.configKwargsS3.addressingStyle", "S3AddressingStyle"),
  warning(["displayName"], ({ displayName }) =>
    DISPLAY_NAME.test(displayName)
      ? undefined
      : { path: "displayName", reason: "services take letters, digits, spaces, - _ and ' only." },
  ),
  warning(["config.bucketName"], ({ config }) =>
    BUCKET_NAME.test(config.bucketName)
      ? undefined
      : {
          path: "config.bucketName",
          reason:
            "a bucket's name has 3 to 63 characters: lower-case letters, digits, dots and hyphens, the first and last a letter or digit. It is the bare name, without s3:// and without a path.",
        },
  ),
  warning(["config.prefix"], ({ config }) =>
    config.prefix?.startsWith("/")
      ? {
          path: "config.prefix",
          reason: `begins with a slash, so the files would lie below a folder without a name: write "${config.prefix.replace(/^\/+/, "")}".`,
        }
      : undefined,
  ),
  warning(["config.endpointUrl"], ({ config }) =>
    config.endpointUrl === undefined || /^https?:\/\/[^/]/.test(config.endpointUrl)
      ? undefined
      : { path: "config.endpointUrl", reason: "is no address: it begins with https:// and the store's host." },
  ),
  warning(["config.region", "config.endpointUrl"], ({ config: { region, endpointUrl } }) => {
    if (region !== undefined && endpointUrl !== undefined) {
      const reason =
        "is for the cloud object store, endpointUrl for any other: with both, endpointUrl says where the bucket is.";
      return { path: "config.region", reason };
    }
    if (region !== undefined || endpointUrl !== undefined) return undefined;
    return {
      path: "config",
      reason:
        "has neither region, for the cloud object store, nor endpointUrl, for any other: the service has to guess where the bucket is.",
    };
  }),
];
