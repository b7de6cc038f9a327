/**
 * Maps field names and vendor-specific terms, both ways. It walks the schema rather than the data, so keys that belong
 * to the user (labels, metadata, environment variables) are never renamed. Interface-notes section 1.
 */
import { z } from "zod";
import { pathSegment } from "../schema/id";
import { catchallOf, fieldMetadata, isPropertyMap, type PropertyMap, unwrap } from "../schema/schema";
import type { Vocabulary } from "../settings/vocabulary";
import { snakeCase } from "../text/snake-case";

export class CaseMapper {
  constructor(private readonly vocabulary: Vocabulary) {}

  /** Encodes a value for a request. Undefined fields are omitted. */
  encode(schema: z.ZodType, value: unknown): unknown {
    return this.walk(
      schema,
      value,
      (key, keepCase) => (keepCase ? [key, key] : [key, this.wireKey(key)]),
      this.toWireKey,
    );
  }

  /** Decodes a response. Unknown fields are dropped, unknown enum values kept. */
  decode(schema: z.ZodType, value: unknown): unknown {
    return this.walk(
      schema,
      value,
      (key, keepCase) => (keepCase ? [key, key] : [this.wireKey(key), key]),
      this.fromWireKey,
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
    mapValue: (value: unknown) => unknown,
  ): unknown {
    const inner = unwrap(schema);
    const next = (child: z.ZodType, part: unknown) => this.walk(child, part, rename, mapValue);
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
    return inner instanceof z.ZodLiteral || inner instanceof z.ZodEnum || fieldMetadata.get(inner)?.vocabularyTerm
      ? mapValue(value)
      : value;
  }

  /** `agentgraphConfigPath` -> `agentgraph_config_path`, with the vendor's prefix. */
  private wireKey(key: string): string {
    return snakeCase(key).replace(/^agentgraph_/, `${this.vocabulary.agentgraph}_`);
  }

  private readonly toWireKey = (value: unknown) => (value === "githost" ? this.vocabulary.githost : value);
  private readonly fromWireKey = (value: unknown) => (value === this.vocabulary.githost ? "githost" : value);
}
