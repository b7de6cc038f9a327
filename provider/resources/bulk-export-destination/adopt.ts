/** Converts a remote destination to inputs as a user would write them, without server defaults. */
import type { AdoptFacts } from "../../definition/adopt";
import type { PropertyMap } from "../../schema/schema";
import { UNKNOWN_SECRET } from "../../schema/unknown-secrets";
import { findDestination } from "./requests";

export const adopt: AdoptFacts = {
  noun: "destination",
  listedBy: "getBulkExportDestinations",
  isNamed: true,
  title: ({ displayName, id }) => String(displayName ?? id),
  async fetch(id, _container, ctx) {
    const remote = await findDestination(id, {}, ctx);
    return typeof remote === "string" ? undefined : remote;
  },
  toInputs,
};

function toInputs(remote: PropertyMap): PropertyMap {
  const { includeBucketInPrefix, prefix, ...config } = (remote.config ?? {}) as PropertyMap;
  const credentialKeys = (remote.credentialsKeys ?? []) as readonly string[];
  return {
    destinationType: remote.destinationType,
    displayName: remote.displayName,
    config: {
      ...config,
      ...(prefix !== "" && { prefix }),
      // Defaults to true (API `2C.Destination.config:more`).
      ...(includeBucketInPrefix === false && { includeBucketInPrefix }),
    },
    credentials: {
      accessKeyId: UNKNOWN_SECRET,
      secretAccessKey: UNKNOWN_SECRET,
      ...(credentialKeys.includes("session_token") && { sessionToken: UNKNOWN_SECRET }),
    },
  };
}
