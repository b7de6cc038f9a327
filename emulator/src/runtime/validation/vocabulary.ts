import type { Schema } from "./schema";

/** Terms for which real servers may use other words (API `0:vocabulary`): neutral term to wire term. */
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
  routePath(path: string): string {
    return path.replace("/githost", `/${this.terms.githost}`);
  }

  /** Returns a location with wire names. */
  location(path: readonly (string | number)[]): (string | number)[] {
    return path.map((part) => (typeof part === "string" ? this.fieldName(part) : part));
  }

  /** Translates a response into wire terms, guided by its schema. */
  toWire(schema: Schema, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    if (schema.type === "enum") return this.enumValue(String(value));
    if (schema.type === "list" && Array.isArray(value)) return value.map((item) => this.toWire(schema.items, item));
    if (schema.type !== "object" || typeof value !== "object") return value;
    const entries = Object.entries(value).map(([name, item]) => {
      const fieldSchema = schema.fields[name];
      return fieldSchema ? [this.fieldName(name), this.toWire(fieldSchema, item)] : [name, item];
    });
    return Object.fromEntries(entries);
  }
}
