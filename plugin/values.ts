/**
 * Converts property maps from and to the engine's protobuf form. Secrets arrive as marked values; the provider works with
 * plain ones, so their paths are kept and marked again in what is returned. State contains what the provider recorded about
 * the object; the engine passes everything else beside the properties.
 */
import { ListValue, NullValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";
import { joinFacts, type RequestFacts, type ResourceData, recordedFacts, splitFacts } from "../provider/plan/facts";
import { markSecretsAt, SECRET_SIGNATURE, SIGNATURE } from "../provider/plan/property-values";
import type { PropertyMap } from "../provider/schema/schema";
import { fromMapKey } from "./request-reader";

/** Keys that lead to a value, since a key may contain dots. */
export type KeyPath = readonly string[];

export interface DecodedProperties {
  /** The values, without marks. */
  values: PropertyMap;
  /** The paths of the secrets. A secret inside a list marks the whole list. */
  secretPaths: KeyPath[];
}

/** Decodes a struct of the engine. */
export function decodeProperties(struct: Struct | undefined): DecodedProperties {
  const secretPaths: KeyPath[] = [];
  const values = struct ? decodeFields(struct, [], secretPaths) : {};
  return { values: values as PropertyMap, secretPaths };
}

function decodeFields(struct: Struct, path: KeyPath, secretPaths: KeyPath[]): unknown {
  const fields = struct.getFieldsMap();
  if (fields.get(SIGNATURE)?.getStringValue() === SECRET_SIGNATURE) {
    secretPaths.push(path);
    const value = fields.get("value");
    return value === undefined ? null : decodeValue(value, path, secretPaths);
  }
  // Object.fromEntries keeps a key `__proto__`, so that check can report it.
  return Object.fromEntries(
    [...fields.getEntryList()].map(([field]) => {
      const key = fromMapKey(field);
      return [key, decodeValue(fields.get(field) as Value, [...path, key], secretPaths)];
    }),
  );
}

function decodeValue(value: Value, path: KeyPath, secretPaths: KeyPath[]): unknown {
  const kind = Value.KindCase;
  switch (value.getKindCase()) {
    case kind.NUMBER_VALUE:
      return value.getNumberValue();
    case kind.STRING_VALUE:
      return value.getStringValue();
    case kind.BOOL_VALUE:
      return value.getBoolValue();
    case kind.STRUCT_VALUE:
      return decodeFields(value.getStructValue() as Struct, path, secretPaths);
    case kind.LIST_VALUE: {
      const inList: KeyPath[] = [];
      const items = (value.getListValue() as ListValue).getValuesList();
      const decoded = items.map((item) => decodeValue(item, path, inList));
      if (inList.length > 0) secretPaths.push(path);
      return decoded;
    }
    default:
      return null;
  }
}

/** Encodes properties. @param secretPaths Paths to mark as secret, in addition to those already marked. */
export function encodeProperties(properties: PropertyMap, secretPaths: readonly KeyPath[] = []): Struct {
  const struct = new Struct();
  encodeFields(struct, markSecretsAt(properties, secretPaths) as PropertyMap);
  return struct;
}

/** Each message is filled after it was added: google-protobuf reads all of a message that is added. */
function encodeFields(struct: Struct, properties: PropertyMap): void {
  const fields = struct.getFieldsMap();
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    const encoded = new Value();
    fields.set(key.toWellFormed(), encoded);
    encodeValue(encoded, value);
  }
}

/** Texts that are not valid Unicode would make the engine refuse the response, and lose what was created. */
function encodeValue(encoded: Value, value: unknown): void {
  if (value === null || value === undefined) encoded.setNullValue(NullValue.NULL_VALUE);
  else if (typeof value === "string") encoded.setStringValue(value.toWellFormed());
  else if (typeof value === "number") encoded.setNumberValue(value);
  else if (typeof value === "boolean") encoded.setBoolValue(value);
  else if (Array.isArray(value)) {
    const list = new ListValue();
    encoded.setListValue(list);
    for (const item of value) encodeValue(list.addValues(), item);
  } else {
    const struct = new Struct();
    encoded.setStructValue(struct);
    encodeFields(struct, value as PropertyMap);
  }
}

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
