import type { Schema } from "./schema";

/** Terms for which real servers may use other words (interface-notes.md section 1): neutral term to wire term. */
export interface VocabularyTerms {
  githost: string;
  agentgraph: string;
}

export const neutralTerms: VocabularyTerms = { githost: "githost", agentgraph: "agentgraph" };

/** Translates the terms of the interface between neutral and wire form. User data is never translated. */
export class Vocabulary {
  constructor(private readonly terms: VocabularyTerms) {}

  /** Returns the wire name of a field. */
  fieldName(name: string): string {
    return name.startsWith("agentgraph_") ? this.terms.agentgraph + name.slice("agentgraph".length) : name;
  }

  /** Returns the wire value of an enum value. */
  enumValue(word: string): string {
    return word === "githost" ? this.terms.githost : word;
  }

  /** Returns the wire path of a route. */
  routePath(routePath: string): string {
    return routePath.replace("/githost", `/${this.terms.githost}`);
  }

  /** Returns a location with wire names. */
  location(routePath: readonly (string | number)[]): (string | number)[] {
    return routePath.map((part) => (typeof part === "string" ? this.fieldName(part) : part));
  }

  /** Translates a response into wire terms, guided by its schema. */
  toWire(schema: Schema, enumValue: unknown): unknown {
    if (enumValue === null || enumValue === undefined) return enumValue;
    if (schema.type === "enum") return this.enumValue(String(enumValue));
    if (schema.type === "list" && Array.isArray(enumValue))
      return enumValue.map((item) => this.toWire(schema.items, item));
    if (schema.type !== "object" || typeof enumValue !== "object") return enumValue;
    const entries = Object.entries(enumValue).map(([name, fieldName]) => {
      const fieldSchema = schema.fields[name];
      return fieldSchema ? [this.fieldName(name), this.toWire(fieldSchema, fieldName)] : [name, fieldName];
    });
    return Object.fromEntries(entries);
  }
}
