/**
 * Converts property maps from and to the engine's protobuf form. Secrets arrive as marked values; the provider works
 * with plain ones, so their paths are kept and marked again in what is returned. State contains what the provider
 * recorded about the object; the engine passes everything else beside the properties.
 */
import { isDeepStrictEqual } from "node:util";
import { ListValue, NullValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";
import { joinFacts, type RequestFacts, type ResourceData, recordedFacts, splitFacts } from "../provider/plan/facts";
import { markSecretsAt, outsideLists, SECRET_SIGNATURE, SIGNATURE } from "../provider/plan/property-values";
import { type PropertyMap, valueAt } from "../provider/schema/schema";
import { fromMapKey } from "./request-reader";

/** Keys that lead to a value, since a key may contain dots. */
export type KeyPath = readonly string[];

export interface SecretPath {
  keys: KeyPath;
  /** The secret; undefined where anything there is one. */
  value?: unknown;
}

export interface DecodedProperties {
  /** The values, without marks. */
  values: PropertyMap;
  secretPaths: SecretPath[];
}

/** Decodes a struct of the engine. */
export function decodeProperties(struct: Struct | undefined): DecodedProperties {
  const secretPaths: SecretPath[] = [];
  const values = struct ? decodeFields(struct, [], secretPaths) : {};
  return { values: values as PropertyMap, secretPaths };
}

function decodeFields(struct: Struct, path: KeyPath, secretPaths: SecretPath[]): unknown {
  const fields = struct.getFieldsMap();
  if (fields.get(SIGNATURE)?.getStringValue() === SECRET_SIGNATURE) {
    const encoded = fields.get("value");
    const value = encoded === undefined ? null : decodeValue(encoded, path, secretPaths);
    secretPaths.push({ keys: path, value });
    return value;
  }
  // Object.fromEntries keeps a key `__proto__`, so that check can report it.
  return Object.fromEntries(
    [...fields.getEntryList()].map(([field]) => {
      const key = fromMapKey(field);
      return [key, decodeValue(fields.get(field) as Value, [...path, key], secretPaths)];
    }),
  );
}

function decodeValue(value: Value, path: KeyPath, secretPaths: SecretPath[]): unknown {
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
      const items = (value.getListValue() as ListValue).getValuesList();
      return items.map((item, index) => decodeValue(item, [...path, String(index)], secretPaths));
    }
    default:
      return null;
  }
}

/** Encodes properties. @param secretPaths Paths to mark as secret, in addition to those already marked. */
export function encodeProperties(properties: PropertyMap, secretPaths: readonly SecretPath[] = []): Struct {
  const struct = new Struct();
  const keyPaths = secretPaths.map((secret) => secretIn(properties, secret));
  encodeFields(struct, markSecretsAt(properties, keyPaths) as PropertyMap);
  return struct;
}

/** Returns what to mark: the whole list that contained a secret item, unless the item is still at its place. */
const secretIn = (properties: PropertyMap, { keys, value }: SecretPath): KeyPath =>
  isDeepStrictEqual(valueAt(properties, keys), value) ? keys : outsideLists(properties, keys);

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
    .filter(({ keys: [key] }) => key !== undefined && key in properties)
    .map(({ keys }) => keys.join("."));
  // State that the host of dynamic resources wrote also has facts of its requests.
  return {
    properties,
    facts: { ...recordedFacts(facts), ...request, ...(secretInputs.length > 0 && { secretInputs }) },
  };
}

export const toInputStruct = ({ properties }: ResourceData, secretPaths: readonly SecretPath[]): Struct =>
  encodeProperties(properties, secretPaths);

export const toStateStruct = ({ properties, facts }: ResourceData, secretPaths: readonly SecretPath[]): Struct =>
  encodeProperties(joinFacts({ properties, facts: recordedFacts(facts) }), secretPaths);
