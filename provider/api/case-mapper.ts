/**
 * Names and vendor words, both ways. The schema is walked, not the data, so that keys which belong to the user
 * (labels, metadata, environment names) are never renamed. Interface-notes section 1.
 */
import { z } from "zod";
import { segment } from "../schema/id";
import { type Bag, isBag, marks, restOf, unwrap } from "../schema/schema";
import type { Vocabulary } from "../settings/vocabulary";
import { snakeCase } from "../text/snake-case";

export class Wire {
  constructor(private readonly vocabulary: Vocabulary) {}

  /** A value of ours as the service reads it. Undefined fields are left out. */
  encode(schema: z.ZodType, value: unknown): unknown {
    return this.walk(schema, value, (key, verbatim) => (verbatim ? [key, key] : [key, this.key(key)]), this.outward);
  }

  /** An answer of the service in our names. Unknown fields are dropped, unknown words kept. */
  decode(schema: z.ZodType, value: unknown): unknown {
    return this.walk(schema, value, (key, verbatim) => (verbatim ? [key, key] : [this.key(key), key]), this.inward);
  }

  /** The wire spelling of a path such as `/v1/integrations/githost/install`. */
  path(path: string): string {
    return path.replace("/githost/", `/${segment(this.vocabulary.githost)}/`);
  }

  private walk(
    schema: z.ZodType,
    value: unknown,
    rename: (key: string, verbatim: boolean) => [from: string, to: string],
    word: (value: unknown) => unknown,
  ): unknown {
    const inner = unwrap(schema);
    const next = (child: z.ZodType, part: unknown) => this.walk(child, part, rename, word);
    if (value == null) return value;
    if (inner instanceof z.ZodObject && isBag(value)) {
      const verbatim = marks.get(inner)?.verbatim === true;
      // An open object's other keys belong to the user. Where one is spelt as ours is, ours is what the type promises.
      const renamed: Bag = restOf(inner) ? { ...value } : {};
      for (const [key, child] of Object.entries(inner.shape as Record<string, z.ZodType>)) {
        const [from, to] = rename(key, verbatim);
        delete renamed[from];
        if (value[from] !== undefined) renamed[to] = next(child, value[from]);
      }
      return renamed;
    }
    if (inner instanceof z.ZodRecord && isBag(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, next(inner.valueType as z.ZodType, part)]),
      );
    }
    if (inner instanceof z.ZodArray && Array.isArray(value)) {
      return value.map((part) => next(inner.element as z.ZodType, part));
    }
    return inner instanceof z.ZodLiteral || inner instanceof z.ZodEnum || marks.get(inner)?.word ? word(value) : value;
  }

  /** `agentgraphConfigPath` -> `agentgraph_config_path`, in the vendor's word. */
  private key(key: string): string {
    return snakeCase(key).replace(/^agentgraph_/, `${this.vocabulary.agentgraph}_`);
  }

  private readonly outward = (value: unknown) => (value === "githost" ? this.vocabulary.githost : value);
  private readonly inward = (value: unknown) => (value === this.vocabulary.githost ? "githost" : value);
}
