import type { Schema } from "./schema";

/** The words a live service may spell differently (interface-notes.md section 1): neutral word to word on the wire. */
export interface Vocabulary {
  githost: string;
  agentgraph: string;
}

export const neutralVocabulary: Vocabulary = { githost: "githost", agentgraph: "agentgraph" };

/** Translates the words that the interface owns, and only those; user data is never looked into. */
export class Words {
  constructor(private readonly vocabulary: Vocabulary) {}

  /** A field's name on the wire. */
  field(name: string): string {
    return name.startsWith("agentgraph_") ? this.vocabulary.agentgraph + name.slice("agentgraph".length) : name;
  }

  /** A word of an enum on the wire. */
  value(word: string): string {
    return word === "githost" ? this.vocabulary.githost : word;
  }

  /** A route's path on the wire. */
  path(path: string): string {
    return path.replace("/githost", `/${this.vocabulary.githost}`);
  }

  /** Where a neutral field is, in the words of the wire. */
  loc(path: readonly (string | number)[]): (string | number)[] {
    return path.map((part) => (typeof part === "string" ? this.field(part) : part));
  }

  /** An answer with neutral words, in the words of the wire, by its description. */
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
