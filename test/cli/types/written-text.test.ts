/** How `agentgraph types` writes comments, odd keys and names. */
import { typesOf } from "../../../cli/types/graph-types";
import { type Schema, write, writeBoth } from "../support/written-types";

const text = { type: "string" };

it("Descriptions and limits become comments, from which nothing escapes", () => {
  const { typescript, python } = write({
    description: 'Ends */ and """\nthen\u001b[31m \\n \u202e',
    properties: {
      k: {
        title: "Kind",
        description: " One.\r\n\r\nTwo. ",
        anyOf: [{ type: "integer", minimum: 1, multipleOf: 2 }, { type: "null" }],
        default: 2,
      },
      list: { items: { type: "string", minLength: 1 }, uniqueItems: true, not: {}, deprecated: true },
      no_title: { title: "No Title", const: 1 },
      titled: { title: "Another title", format: "uri", pattern: "^a*/$", examples: ["a"] },
    },
  });
  expect(typescript.split("\n").slice(0, 5)).toEqual([
    ...'/**_ * The context of the graph "a"._ * Ends *\\/ and """_ * then \\n \\u202e_ */'.split("_"),
  ]);
  expect(typescript).toContain(
    "  /**\n   * One.\n   *\n   * Two.\n   * Default: 2. Integer. Minimum: 1. Multiple of: 2.\n   */\n  k?: " +
      "number | null;",
  );
  expect(typescript).toContain(
    "   * Deprecated.\n   * Each item is unique.\n   * Of each item: Minimum length: 1.\n   * Not in this " +
      "type: the schema's not.\n",
  );
  expect(typescript).toContain("\n  no_title?: 1;");
  expect(typescript).toContain('   * Another title\n   * Format: uri. Pattern: ^a*\\/$. Examples: ["a"].\n');
  expect(python).toContain('    Ends */ and \\"\\"\\"\n    then \\\\n \\\\u202e\n    """\n');
});

it("Words of a description or a value are not imported", () => {
  const words = "# Any Union (Literal TypeAlias";
  const python = (schema: Schema) => writeBoth({ ...schema, description: words }).python;
  expect(python({ properties: { k: { type: "boolean", description: words } } })).toMatch(
    /^from typing import TypedDict$/m,
  );
  expect(python({ properties: { "x-k": { const: words } } })).toMatch(/^from typing import Literal, TypedDict$/m);
});

it("The order of the keys of a schema changes nothing", () => {
  const choice = (kind: string) => ({ properties: { kind: { enum: [kind] } } });
  const properties = { b: { properties: { c: choice("x") } }, bC: choice("y"), a: { $ref: "#/$defs/B" } };
  const $defs = { B: choice("z") };
  const reversed = Object.fromEntries(Object.entries(properties).reverse());
  expect(writeBoth({ $defs, properties: reversed })).toEqual(writeBoth({ properties, $defs }));
});

it("Odd keys are quoted, and are fields of no Python class", () => {
  const keys = ["x-header", "class", "__proto__", "str", 'a"b', "größe", "_ok"];
  const properties = Object.fromEntries(keys.map((key) => [key, text]));
  const { typescript, python } = write({ properties });
  expect(
    typescript
      .split("\n")
      .slice(1, -1)
      .map((line) => line.trim()),
  ).toEqual([
    ...'"__proto__"?,_ok?,"a\\"b"?,class?,"größe"?,str?,"x-header"?'.split(",").map((key) => `${key}: string;`),
  ]);
  expect(python).toContain(
    'AContext = TypedDict(\n    "AContext",\n    {\n        "__proto__": NotRequired[pulumi.Input[str]],',
  );
  for (const key of keys.slice(0, -1))
    expect(write({ properties: { [key]: text } }).python).toMatch(/^AContext = TypedDict/);
  expect(write({ properties: { _ok: text } }).python).toMatch(/^class AContext/);
});

it("Graphs have types of different names, whatever they are called", () => {
  const contextSchema = { properties: { b: { properties: { k: text } } } };
  const ids = ["my-agent", "my_agent", "2", "!", "агент", "a", "a_context_b"];
  const names = (order: readonly string[]) =>
    typesOf([...order].sort().map((graphId) => ({ graphId, contextSchema }))).flatMap(({ declarations }) =>
      declarations.map(({ name }) => name),
    );
  expect(names(ids)).toEqual([
    ...["GraphContext", "GraphContextB", "_2Context", "_2ContextB", "AContext", "AContextB", "AContextBContext"],
    ...["AContextBContextB", "MyAgentContext", "MyAgentContextB", "MyAgentContext2", "MyAgentContext2B"],
    ...["АгентContext", "АгентContextB"],
  ]);
  expect(names(ids.reverse())).toEqual(names(ids));
});

it("A configuration with the schema of the context has its type, and an empty one has none", () => {
  const schema = { properties: { k: text } };
  const names = (contextSchema?: Schema, configSchema?: Schema) =>
    typesOf([{ graphId: "a", ...(contextSchema && { contextSchema }), ...(configSchema && { configSchema }) }]);
  expect(names(schema, { ...schema })[0]?.declarations[1]?.shape).toEqual({
    alias: { kind: "reference", name: "AContext" },
  });
  expect(names(undefined, schema)[0]?.declarations.map(({ name }) => name)).toEqual(["AConfig"]);
  expect(names()).toEqual([]);
});
