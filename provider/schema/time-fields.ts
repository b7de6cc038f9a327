/** Inputs and outputs for points in time. */
import { z } from "zod";
import { optionalText } from "./optional";
import { fieldMetadata } from "./schema";
import { parseTimestamp } from "./timestamp";

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

/** The outputs for the times of an object. */
export const timeOutputs = {
  createdAt: optionalText("Time of creation; absent if the server does not return it.").register(fieldMetadata, {
    stable: {},
  }),
  updatedAt: optionalText("Time of the last change; absent if the server does not return it."),
};
