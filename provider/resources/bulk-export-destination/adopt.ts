/** What a person would declare of a destination: without what the server filled in by itself. */
import type { AdoptFacts } from "../../definition/adopt";
import type { Bag } from "../../schema/schema";
import { UNSEEN } from "../../schema/unknown-secrets";

export const adopt: AdoptFacts = {
  plural: "destinations",
  singular: "destination",
  listedBy: "getBulkExportDestinations",
  isNamed: true,
  title: ({ displayName, id }) => String(displayName ?? id),
  toInputs,
  references: {},
};

function toInputs(told: Bag): Bag {
  const { includeBucketInPrefix, prefix, ...config } = (told.config ?? {}) as Bag;
  const held = (told.credentialsKeys ?? []) as readonly string[];
  return {
    destinationType: told.destinationType,
    displayName: told.displayName,
    config: {
      ...config,
      ...(prefix !== "" && { prefix }),
      // True when absent (interface-notes section 3).
      ...(includeBucketInPrefix === false && { includeBucketInPrefix }),
    },
    credentials: {
      accessKeyId: UNSEEN,
      secretAccessKey: UNSEEN,
      ...(held.includes("session_token") && { sessionToken: UNSEEN }),
    },
  };
}
