/**
 * Maps field names and vendor-specific terms, both ways. It walks the schema rather than the data, so keys that belong
 * to the user (labels, metadata, environment variables) are never renamed. API `0:vocabulary`.
 */
import { z } from "zod";
import { pathSegment } from "../schema/id";
import { catchallOf, fieldMetadata, isPropertyMap, type PropertyMap, unwrap } from "../schema/schema";
import type { Vocabulary } from "../settings/settings-schema";
import { snakeCase } from "../text/format";
import { toDeclaredType } from "./shape";

export class CaseMapper {
  /** By key of a schema, of which there are few. */
  private readonly wireKeys = new Map<string, string>();

  constructor(private readonly vocabulary: Vocabulary) {}

  /** Encodes a value for a request. Undefined fields are omitted. */
  encode(schema: z.ZodType, value: unknown): unknown {
    return this.walk(
      schema,
      value,
      (key, keepCase) => (keepCase ? [key, key] : [key, this.wireKey(key)]),
      this.toWireTerm,
    );
  }

  /** Decodes a response. Unknown fields are dropped, unknown enum values kept, scalars converted to the declared type. */
  decode(schema: z.ZodType, value: unknown): unknown {
    return this.walk(
      schema,
      value,
      (key, keepCase) => (keepCase ? [key, key] : [this.wireKey(key), key]),
      (leaf, part) => toDeclaredType(leaf, this.fromWireTerm(leaf, part)),
    );
  }

  /** Returns the wire spelling of a path such as `/v1/integrations/githost/install`. */
  path(path: string): string {
    return path.replace("/githost/", `/${pathSegment(this.vocabulary.githost)}/`);
  }

  private walk(
    schema: z.ZodType,
    value: unknown,
    rename: (key: string, keepCase: boolean) => [from: string, to: string],
    mapLeaf: (schema: z.ZodType, value: unknown) => unknown,
  ): unknown {
    const inner = unwrap(schema);
    const next = (child: z.ZodType, part: unknown) => this.walk(child, part, rename, mapLeaf);
    if (value == null) return value;
    if (inner instanceof z.ZodObject && isPropertyMap(value)) {
      const keepCase = fieldMetadata.get(inner)?.keepCase === true;
      // Other keys of an open object belong to the user. Where one collides with a declared field, the field wins.
      const renamed: PropertyMap = catchallOf(inner) ? { ...value } : {};
      for (const [key, child] of Object.entries(inner.shape as Record<string, z.ZodType>)) {
        const [from, to] = rename(key, keepCase);
        delete renamed[from];
        if (value[from] !== undefined) renamed[to] = next(child, value[from]);
      }
      return renamed;
    }
    if (inner instanceof z.ZodRecord && isPropertyMap(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, next(inner.valueType as z.ZodType, part)]),
      );
    }
    if (inner instanceof z.ZodArray && Array.isArray(value)) {
      return value.map((part) => next(inner.element as z.ZodType, part));
    }
    return mapLeaf(inner, value);
  }

  /** `agentgraphConfigPath` -> `agentgraph_config_path`, with the vendor's prefix. */
  private wireKey(key: string): string {
    const wireKey = this.wireKeys.get(key) ?? snakeCase(key).replace(/^agentgraph_/, `${this.vocabulary.agentgraph}_`);
    this.wireKeys.set(key, wireKey);
    return wireKey;
  }

  private readonly toWireTerm = (schema: z.ZodType, value: unknown) =>
    value === "githost" && isTerm(schema) ? this.vocabulary.githost : value;
  private readonly fromWireTerm = (schema: z.ZodType, value: unknown) =>
    value === this.vocabulary.githost && isTerm(schema) ? "githost" : value;
}

/** Whether a value may be a term that the vocabulary translates. */
const isTerm = (schema: z.ZodType) =>
  schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum || fieldMetadata.get(schema)?.vocabularyTerm === true;
