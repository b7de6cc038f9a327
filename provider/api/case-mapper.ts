/**
 * Maps field names and vendor-specific terms, both ways. It walks the schema rather than the data, so keys that belong
 * to the user (labels, metadata, environment variables) are never renamed. API `0:vocabulary`.
 */
import { z } from "zod";
import { pathSegment } from "../schema/id";
import { catchallOf, fieldMetadata, isPropertyMap, type PropertyMap, unwrap } from "../schema/schema";
import type { Vocabulary } from "../settings/settings-schema";
import { wireSpelling } from "../text/format";

/** A field of a response does not have the type that its schema declares. The message names the field. */
export class SchemaViolation extends Error {
  override name = "SchemaViolation";
}

export class CaseMapper {
  /** By key of a schema, of which there are few. */
  private readonly wireKeys = new Map<string, string>();

  constructor(readonly vocabulary: Vocabulary) {}

  /** Encodes a value for a request. Undefined fields are omitted. */
  encode(schema: z.ZodType, value: unknown): unknown {
    if (value == null) return value;
    const inner = unwrap(schema);
    if (inner instanceof z.ZodObject && isPropertyMap(value)) {
      const encoded = extraKeysOf(inner, value);
      for (const [key, child] of Object.entries(inner.shape as Record<string, z.ZodType>)) {
        delete encoded[key];
        if (value[key] !== undefined) encoded[this.wireKey(inner, key)] = this.encode(child, value[key]);
      }
      return encoded;
    }
    if (inner instanceof z.ZodRecord && isPropertyMap(value)) {
      return mapValues(value, (part) => this.encode(inner.valueType as z.ZodType, part));
    }
    if (inner instanceof z.ZodArray && Array.isArray(value)) {
      return value.map((part) => this.encode(inner.element as z.ZodType, part));
    }
    return value === "githost" && isTerm(inner) ? this.vocabulary.githost : value;
  }

  /**
   * Decodes a response. Absent fields, null and unknown enum values are accepted, unknown fields dropped, and scalars
   * converted to the declared type.
   * @param path Where the value is in the response.
   * @throws SchemaViolation for the first field with another type.
   */
  decode(schema: z.ZodType, value: unknown, path = ""): unknown {
    if (value == null) return value;
    const inner = unwrap(schema);
    const prefix = path === "" ? "" : `${path}.`;
    if (inner instanceof z.ZodObject) {
      if (!isPropertyMap(value)) throw mismatch(path, "an object");
      const decoded = extraKeysOf(inner, value);
      for (const [key, child] of Object.entries(inner.shape as Record<string, z.ZodType>)) {
        const wireKey = this.wireKey(inner, key);
        delete decoded[wireKey];
        const part = value[wireKey] === undefined ? decoded[key] : value[wireKey];
        if (part !== undefined) decoded[key] = this.decode(child, part, `${prefix}${key}`);
      }
      return decoded;
    }
    if (inner instanceof z.ZodRecord) {
      // Some servers return an empty map as an empty list.
      if (Array.isArray(value) && value.length === 0) return {};
      if (!isPropertyMap(value)) throw mismatch(path, "an object");
      return mapValues(value, (part, key) => this.decode(inner.valueType as z.ZodType, part, `${prefix}${key}`));
    }
    if (inner instanceof z.ZodArray) {
      if (!Array.isArray(value)) throw mismatch(path, "a list");
      const element = inner.element as z.ZodType;
      return value.map((item, index) => {
        assertIdentifiable(element, item, `${prefix}${index}`);
        return this.decode(element, item, `${prefix}${index}`);
      });
    }
    const term = value === this.vocabulary.githost && isTerm(inner) ? "githost" : value;
    return toDeclaredType(inner, term, path);
  }

  /** Returns the wire spelling of a path such as `/v1/integrations/githost/install`. */
  path(path: string): string {
    return path.replace("/githost/", `/${pathSegment(this.vocabulary.githost)}/`);
  }

  private wireKey(schema: z.ZodObject, key: string): string {
    if (fieldMetadata.get(schema)?.keepCase === true) return key;
    const wireKey = this.wireKeys.get(key) ?? wireSpelling(key, this.vocabulary.agentgraph);
    this.wireKeys.set(key, wireKey);
    return wireKey;
  }
}

/** Returns a copy of an open object's keys, of which declared fields replace those of the same name. */
const extraKeysOf = (schema: z.ZodObject, value: PropertyMap): PropertyMap => (catchallOf(schema) ? { ...value } : {});

const mapValues = (value: PropertyMap, map: (part: unknown, key: string) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [key, map(part, key)]));

const isTerm = (schema: z.ZodType) =>
  schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum || fieldMetadata.get(schema)?.vocabularyTerm === true;

const mismatch = (path: string, form: string) => new SchemaViolation(`${path || "the body"} is not ${form}`);

/** Returns a scalar in the declared type where nothing is lost: 24 for "24", "7" for 7, true for "true". */
function toDeclaredType(schema: z.ZodType, value: unknown, path: string): unknown {
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) {
    if (typeof value === "string") return value;
    // Other numbers may have been rounded, and an ID must not become another one.
    if (Number.isSafeInteger(value) || typeof value === "boolean") return String(value);
    throw mismatch(path, "a string");
  }
  if (schema instanceof z.ZodNumber) {
    const number = typeof value === "string" && String(Number(value)) === value ? Number(value) : value;
    if (Number.isFinite(number)) return number;
    throw mismatch(path, "a number");
  }
  if (schema instanceof z.ZodBoolean) {
    if (typeof value === "boolean") return value;
    if (value === "true" || value === "false") return value === "true";
    throw mismatch(path, "true or false");
  }
  return value;
}

/** @throws SchemaViolation for an item that is null or lacks its name: nothing could be concluded from the list. */
function assertIdentifiable(element: z.ZodType, item: unknown, path: string): void {
  if (item === null) throw new SchemaViolation(`${path} is null`);
  const name = element instanceof z.ZodObject ? (element.shape.name as z.ZodType | undefined) : undefined;
  const needsName = name !== undefined && !(name instanceof z.ZodOptional);
  if (needsName && isPropertyMap(item) && item.name == null) throw new SchemaViolation(`${path}.name is missing`);
}
