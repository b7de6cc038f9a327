/** Whatever a schema contains, the types that `agentgraph types` writes for it compile. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import ts from "typescript";
import { findDifferences } from "../../../cli/types/check";
import { newFolder } from "../../../emulator/test/support/folder";
import { SHARE } from "../../support/run/runs";
import { writeBoth } from "../support/written-types";

const SEED = Number(process.env.FUZZ_SEED ?? 1);

const key = fc.oneof(
  fc.constantFrom("a", "b", "class", "x-y", "__proto__", "str", "pulumi", "é", "constructor", "a*/"),
  fc.string({ unit: "binary" }),
);
const text = fc.oneof(
  fc.constantFrom("*/", '"""', "\\", "\n", 'a"', "#", "//", "\u202e", "\ud800"),
  fc.string({ unit: "binary" }),
);
const value = fc.oneof(text, fc.integer(), fc.double(), fc.constant(null), fc.boolean(), fc.constant({ a: 1 }));
const type = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object", "any");
const $ref = fc.constantFrom("#", "#/$defs/A", "#/$defs/B", "#/properties/a", "#/none", "#/$defs/a~1b", "https://a");
const { schema } = fc.letrec((tie) => {
  const list = fc.array(tie("schema"), { maxLength: 3 });
  const map = fc.dictionary(key, tie("schema"), { maxKeys: 4 });
  const keywords = {
    ...{
      type: fc.oneof(type, fc.array(type, { maxLength: 3 })),
      const: value,
      enum: fc.array(value, { maxLength: 4 }),
    },
    ...{ title: text, description: text, default: value, pattern: text, examples: fc.array(value, { maxLength: 2 }) },
    ...{ properties: map, required: fc.array(key, { maxLength: 3 }), patternProperties: map, $ref, not: tie("schema") },
    ...{ additionalProperties: tie("schema"), propertyNames: fc.record({ enum: fc.array(key, { maxLength: 3 }) }) },
    ...{ items: fc.oneof(tie("schema"), list), prefixItems: list, minItems: fc.integer({ min: -1, max: 4 }) },
    ...{ anyOf: list, oneOf: list, allOf: list, nullable: fc.boolean(), deprecated: fc.boolean() },
  };
  const whole = fc.record(keywords, { requiredKeys: [] });
  return { schema: fc.oneof({ depthSize: "small" }, fc.boolean(), fc.record({ type }), fc.record({ $ref }), whole) };
});
const root = fc
  .tuple(schema, fc.dictionary(fc.constantFrom("A", "B", "a/b"), schema))
  .map(([main, $defs]) => ({ ...(typeof main === "object" ? main : { properties: { a: main } }), $defs }));

it("Types of random schemas compile, and a check finds no difference in them", () => {
  const folder = newFolder();
  const samples = fc.sample(root, { numRuns: Math.ceil(400 * SHARE), seed: SEED });
  const files = samples.map((sample, index) => {
    const { typescript, python } = writeBoth(JSON.parse(JSON.stringify(sample)));
    for (const [code, language] of [[typescript, "typescript"] as const, [python, "python"] as const]) {
      expect(code).not.toMatch(/\p{Cf}|(?![\n])\p{Cc}/u);
      expect(findDifferences(code, code, language)).toEqual([]);
      expect(findDifferences("", code, language).length).toBeGreaterThan(0);
    }
    const file = join(folder, `schema-${index}.ts`);
    writeFileSync(file, `${typescript}\nexport {};\n`);
    return file;
  });
  const program = ts.createProgram(files, { strict: true, noEmit: true, types: [] });
  const errors = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => [file?.fileName, messageText]);
  expect(errors).toEqual([]);
});
