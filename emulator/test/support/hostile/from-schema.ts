/** Random values of a schema of the emulator, a few of them hostile. */
import fc from "fast-check";
import type { Fields, Schema } from "../../../src/runtime/validation/schema";
import { hostileValue } from "./values";

const TEXTS = ["agent", "a b", "A_1", "main", "agentgraph.json", "https://git.example/team/agent", "eq(is_root, true)"];
const TIMES = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00+05:30", "2026-03-01"];
const plain = { noNullPrototype: true } as const;

/** @param ids Values of fields that are IDs. */
export function arbitraryOf(schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: validOf(schema, ids) }, { weight: 1, arbitrary: hostileValue });
}

/** Returns valid values: of the type, within the limits, and with hostile values only further inside. */
export function validOf(schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case "object":
      return objectOf(schema.fields, ids);
    case "list":
      return fc.array(arbitraryOf(schema.items, ids), { maxLength: 2 });
    case "map":
      return fc.dictionary(fc.constantFrom("a", "A.B", "constructor"), arbitraryOf(schema.values, ids), {
        maxKeys: 2,
        ...plain,
      });
    case "enum":
      return fc.constantFrom(...schema.values);
    case "integer":
    case "number":
      return fc.constantFrom(schema.minimum ?? 0, 1, 24, 128, schema.maximum ?? 512);
    case "boolean":
      return fc.boolean();
    case "uuid":
      return fc.constantFrom(...ids);
    case "datetime":
      return fc.constantFrom(...TIMES);
    case "string":
      return fc.constantFrom(...TEXTS, ...ids);
    default:
      return fc.dictionary(fc.constantFrom("graph_id", "messages", "a"), fc.jsonValue({ maxDepth: 2 }), {
        maxKeys: 2,
        ...plain,
      });
  }
}

function objectOf(fields: Fields, ids: readonly string[]): fc.Arbitrary<unknown> {
  const required = Object.entries(fields).filter(([, field]) => field.required);
  const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, arbitraryOf(field, ids)]));
  return fc.record(values, { requiredKeys: required.map(([name]) => name) as never[], ...plain });
}
