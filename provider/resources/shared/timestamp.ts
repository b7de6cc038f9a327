/** An input for a point in time. */
import { z } from "zod";
import { fieldMetadata } from "../../schema/schema";
import { parseTimestamp } from "../../schema/timestamp";

export const timestamp = z
  .string()
  .refine((text) => parseTimestamp(text) !== undefined, {
    error: ({ input }) => `is not a valid timestamp; ${suggestTimestamp(input)}`,
  })
  .register(fieldMetadata, { compare: "instant" });

/** Returns what to write instead of an invalid timestamp. */
function suggestTimestamp(input: unknown): string {
  const corrected = [`${input}Z`, `${input}T00:00:00Z`].find((text) => parseTimestamp(text) !== undefined);
  return `use ${corrected ? `"${corrected}"` : 'UTC, such as "2026-01-31T00:00:00Z"'}`;
}
