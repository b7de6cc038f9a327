/** Properties of a call: what the engine passes beside them becomes internal properties, and these never reach state. */
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { InternalProperties } from "../provider/plan/property-values";
import type { PropertyMap } from "../provider/schema/schema";
import { type DecodedProperties, encodeProperties, type KeyPath } from "./values";

/** Internal properties that only the host of dynamic resources stores; state that it wrote still has them. */
const HOST_KEYS: ReadonlySet<string> = new Set([
  ...(["__provider", "__urn", "__organization", "__timeouts", "__customTimeouts", "__defaultName"] as const),
  ...(["__import", "__secretInputs", "__replaceOnChanges", "__external"] as const),
] satisfies (keyof InternalProperties)[]);

const withoutKeys = (properties: PropertyMap, isOmitted: (key: string) => boolean): PropertyMap =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !isOmitted(key)));

/** Returns the properties of a call with the facts of the request. */
export function withFacts(
  { values, secretPaths }: DecodedProperties,
  facts: Pick<InternalProperties, "__urn" | "__customTimeouts" | "__defaultName">,
): PropertyMap {
  const own = withoutKeys(values, (key) => HOST_KEYS.has(key));
  const secretInputs = [...new Set(secretPaths.flatMap(([key]) => key ?? []))].filter((key) => key in own);
  return { ...own, ...facts, ...(secretInputs.length > 0 && { __secretInputs: secretInputs }) };
}

/** Encodes inputs, without internal properties. */
export const toInputStruct = (inputs: PropertyMap, secretPaths: readonly KeyPath[]): Struct =>
  encodeProperties(
    withoutKeys(inputs, (key) => key.startsWith("__")),
    secretPaths,
  );

/** Encodes outputs, with the internal properties that the provider records about the remote object. */
export const toStateStruct = (outputs: PropertyMap, secretPaths: readonly KeyPath[]): Struct =>
  encodeProperties(
    withoutKeys(outputs, (key) => HOST_KEYS.has(key)),
    secretPaths,
  );
