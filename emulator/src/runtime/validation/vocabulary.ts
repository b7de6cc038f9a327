import type { Schema } from "./schema";

/** Terms that live services may spell differently (interface-notes.md section 1): neutral term to wire term. */
export interface Vocabulary {
  githost: string;
  agentgraph: string;
}

export const neutralVocabulary: Vocabulary = { githost: "githost", agentgraph: "agentgraph" };

/** Translates the terms of the interface between neutral and wire form. User data is never translated. */
export class Words {
  constructor(private readonly vocabulary: Vocabulary) {}

  /** Returns the wire name of a field. */
  field(name: string): string {
    return name.startsWith("agentgraph_") ? this.vocabulary.agentgraph + name.slice("agentgraph".length) : name;
  }

  /** Returns the wire value of an enum value. */
  value(word: string): string {
    return word === "githost" ? this.vocabulary.githost : word;
  }

  /** Returns the wire path of a route. */
  path(path: string): string {
    return path.replace("/githost", `/${this.vocabulary.githost}`);
  }

  /** Returns a location with wire names. */
  loc(path: readonly (string | number)[]): (string | number)[] {
    return path.map((part) => (typeof part === "string" ? this.field(part) : part));
  }

  /** Translates a response into wire terms, guided by its schema. */
  answer(schema: Schema, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    if (schema.type === "enum") return this.value(String(value));
    if (schema.type === "list" && Array.isArray(value)) return value.map((item) => this.answer(schema.items, item));
    if (schema.type !== "object" || typeof value !== "object") return value;
    const entries = Object.entries(value).map(([name, field]) => {
      const known = schema.fields[name];
      return known ? [this.field(name), this.answer(known, field)] : [name, field];
    });
    return Object.fromEntries(entries);
  }
}
