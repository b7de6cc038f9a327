/**
 * Resources as calls pass them. State contains what the provider recorded about the object; the engine passes everything
 * else beside the properties.
 */
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { joinFacts, type RequestFacts, type ResourceData, recordedFacts, splitFacts } from "../provider/plan/facts";
import { type DecodedProperties, encodeProperties, type KeyPath } from "./values";

/** Returns what a call passes, with the facts of its request. */
export function toResourceData({ values, secretPaths }: DecodedProperties, request: RequestFacts): ResourceData {
  const { properties, facts } = splitFacts(values);
  const secretInputs = secretPaths
    .filter(([key]) => key !== undefined && key in properties)
    .map((path) => path.join("."));
  // State that the host of dynamic resources wrote also has facts of its requests.
  return {
    properties,
    facts: { ...recordedFacts(facts), ...request, ...(secretInputs.length > 0 && { secretInputs }) },
  };
}

export const toInputStruct = ({ properties }: ResourceData, secretPaths: readonly KeyPath[]): Struct =>
  encodeProperties(properties, secretPaths);

export const toStateStruct = ({ properties, facts }: ResourceData, secretPaths: readonly KeyPath[]): Struct =>
  encodeProperties(joinFacts({ properties, facts: recordedFacts(facts) }), secretPaths);
