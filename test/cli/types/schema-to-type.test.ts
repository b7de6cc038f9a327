/** What `agentgraph types` writes for each form of a schema. */
import { type Schema, write } from "../support/written-types";

/** Returns the type of a key `k` with this schema, in both languages. */
function typeOf(k: unknown, $defs: Schema = {}): [typescript: string, python: string] {
  const { typescript, python } = write({ $defs, properties: { k } });
  const [, inTypeScript = ""] = /^ {2}k\?: (.*);$/m.exec(typescript) ?? [];
  const [, inPython = ""] = /^ {4}k: NotRequired\[pulumi\.Input\[(.*)\]\]$/m.exec(python) ?? [];
  return [inTypeScript, inPython];
}

const text = { type: "string" };
const $defs = {
  Tone: { enum: ["a", "b"] },
  Self: { $ref: "#/$defs/Self" },
  Tree: { type: "object", additionalProperties: { $ref: "#/$defs/Tree" } },
  "a/b ~%": text,
};
const base = { type: "object", properties: { x: text } };

const MAP = ["{ [key: string]: string }", "Mapping[str, pulumi.Input[str]]"] as const;

it.each<[what: string, schema: unknown, typescript: string, python: string]>([
  ["a text", text, "string", "str"],
  ["a number", { type: "number" }, "number", "float"],
  ["an integer", { type: "integer" }, "number", "int"],
  ["a boolean", { type: "boolean" }, "boolean", "bool"],
  ["null", { type: "null" }, "null", "None"],
  ["no type", {}, "unknown", "Any"],
  ["a schema that accepts everything", true, "unknown", "Any"],
  ["a schema that accepts nothing", false, "never", "NoReturn"],
  ["an unknown type", { type: "file" }, "unknown", "Any"],
  ["several types", { type: ["string", "null"] }, "string | null", "Union[str, None]"],
  ["nullable", { type: "string", nullable: true }, "string | null", "Union[str, None]"],
  ["a constant", { const: "a" }, '"a"', 'Literal["a"]'],
  ["a constant boolean", { const: true }, "true", "Literal[True]"],
  ["an enumeration, sorted", { enum: ["b", "a", "b"] }, '"a" | "b"', 'Literal["a", "b"]'],
  ["an enumeration of numbers", { enum: [10, 2, null] }, "2 | 10 | null", "Union[Literal[2, 10], None]"],
  ["an enumeration of fractions", { enum: [0.5, 1] }, "0.5 | 1", "Union[Literal[1], float]"],
  ["an enumeration with an object", { enum: ["a", { b: 1 }] }, "unknown", "Any"],
  ["an empty enumeration", { enum: [] }, "never", "NoReturn"],
  ["a number beyond those of JSON", { const: 2 ** 60 }, "number", "float"],
  ["a text with quotes", { const: 'a"\\\n' }, String.raw`"a\"\\\n"`, String.raw`Literal["a\"\\\n"]`],
  [
    "invisible characters",
    { const: "\u202e\u{e0001}" },
    String.raw`"\u{202e}\u{e0001}"`,
    String.raw`Literal["\U0000202e\U000e0001"]`,
  ],
  ["a list", { type: "array", items: text }, "string[]", "Sequence[pulumi.Input[str]]"],
  ["a list of anything", { type: "array" }, "unknown[]", "Sequence[pulumi.Input[Any]]"],
  ["a list without a type", { items: { enum: ["a", 1] } }, '("a" | 1)[]', 'Sequence[pulumi.Input[Literal["a", 1]]]'],
  [
    "a tuple",
    { type: "array", prefixItems: [text, { type: "integer" }], minItems: 2, maxItems: 2 },
    "[string, number]",
    "Tuple[pulumi.Input[str], pulumi.Input[int]]",
  ],
  ["a tuple of an older version", { type: "array", items: [text] }, "[string]", "Tuple[pulumi.Input[str]]"],
  [
    "a tuple with optional items",
    { prefixItems: [text, { type: "integer" }], minItems: 1 },
    "[string, number?]",
    "Sequence[pulumi.Input[Union[str, int]]]",
  ],
  [
    "a tuple that is open",
    { prefixItems: [text], items: { type: "boolean" } },
    "[string, ...boolean[]]",
    "Sequence[pulumi.Input[Union[str, bool]]]",
  ],
  ["an empty tuple", { type: "array", prefixItems: [], items: false }, "[]", "Tuple[()]"],
  ["a map", { type: "object", additionalProperties: text }, ...MAP],
  ["a map of anything", { type: "object" }, "{ [key: string]: unknown }", "Mapping[str, pulumi.Input[Any]]"],
  ["a map by patterns", { type: "object", patternProperties: { "^x": text } }, ...MAP],
  [
    "an object without keys",
    { type: "object", additionalProperties: false },
    "{ [key: string]: never }",
    "Mapping[str, pulumi.Input[NoReturn]]",
  ],
  [
    "a union",
    { anyOf: [{ type: "null" }, text, { type: "integer" }] },
    "number | string | null",
    "Union[int, str, None]",
  ],
  ["a union of one", { oneOf: [text, text] }, "string", "str"],
  ["a union with anything", { anyOf: [text, {}] }, "unknown", "Any"],
  ["alternatives of limits", { type: "string", anyOf: [{ minLength: 1 }, { format: "uri" }] }, "string", "str"],
  ["a combination", { allOf: [{ type: ["string", "integer"] }, { type: ["integer", "null"] }] }, "number", "int"],
  ["a combination that is impossible", { allOf: [text, { type: "null" }] }, "unknown", "Any"],
  ["a combination of enumerations", { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] }, '"b"', 'Literal["b"]'],
  [
    "a combination with a description",
    { allOf: [{ $ref: "#/$defs/Tone" }, { description: "How." }] },
    "AContextTone",
    '"AContextTone"',
  ],
  ["a reference", { $ref: "#/$defs/Tone", default: "a" }, "AContextTone", '"AContextTone"'],
  ["a reference with escapes", { $ref: "#/$defs/a~1b%20~0%25" }, "AContextAB", '"AContextAB"'],
  ["a reference to nothing", { $ref: "#/$defs/No" }, "unknown", "Any"],
  ["a reference to another document", { $ref: "https://example.com/a" }, "unknown", "Any"],
  ["a reference with other keywords", { $ref: "#/$defs/Tone", enum: ["a"] }, '"a"', 'Literal["a"]'],
])("%s", (_what, schema, typescript, python) => expect(typeOf(schema, $defs)).toEqual([typescript, python]));

it("An object, its nested objects and its map of objects are types of their own, with sorted keys", () => {
  const item = { type: "object", properties: { b: text, a: text }, required: ["b"] };
  const { typescript, python } = write({
    ...{ type: "object", required: ["z"], additionalProperties: true },
    properties: { z: text, list: { type: "array", items: item }, map: { type: "object", additionalProperties: item } },
  });
  expect(typescript).toBe(`export type AContext = {
  list?: AContextListItem[];
  map?: { [key: string]: AContextListItem };
  /** Required: by the assistant, or by each run. */
  z?: string;
};

export type AContextListItem = {
  a?: string;
  b: string;
};`);
  expect(python).toBe(`class AContext(TypedDict):
    list: NotRequired[pulumi.Input[Sequence[pulumi.Input["AContextListItem"]]]]
    map: NotRequired[pulumi.Input[Mapping[str, pulumi.Input["AContextListItem"]]]]
    z: NotRequired[pulumi.Input[str]]
    """Required: by the assistant, or by each run."""


class AContextListItem(TypedDict):
    a: NotRequired[pulumi.Input[str]]
    b: pulumi.Input[str]`);
});

it("An object that is open beside its keys has an index in TypeScript, and a comment in Python", () => {
  const labels = { type: "object", properties: { a: { type: "number" } }, additionalProperties: text };
  const { typescript, python } = write({ properties: { labels } });
  expect(typescript).toContain("  a?: number;\n  [key: string]: string | number | undefined;\n");
  expect(python).toContain('"""Other keys are accepted too, which no TypedDict expresses."""');
});

it("A schema that contains itself has types that do", () => {
  const root = { properties: { self: { $ref: "#" }, tree: { $ref: "#/$defs/Tree" }, loop: { $ref: "#/$defs/Self" } } };
  const { typescript } = write({ ...root, $defs });
  expect(typescript).toContain("  self?: AContextItem;\n  tree?: AContextTree;\n");
  expect(typescript).toContain("export type AContextTree = { [key: string]: AContextTree };");
  expect(typescript).toContain("/** Not in this type: contains itself. */\nexport type AContextSelf = unknown;");
  expect(
    write({ $ref: "#/$defs/Node", $defs: { Node: { properties: { next: { $ref: "#/$defs/Node" } } } } }).typescript,
  ).toBe(
    "export type AContext = {\n  next?: AContextNode;\n};\n\nexport type AContextNode = {\n  next?: AContextNode;\n};",
  );
});

it("A combination of objects has the keys of all, and a base the keys of each choice", () => {
  const other = { properties: { y: { type: "integer" }, x: { const: "a" } }, required: ["x"] };
  const both = write({ properties: { both: { allOf: [base, other] } } }).typescript;
  expect(both).toContain('export type AContextBoth = {\n  x: "a";\n  /** Integer. */\n  y?: number;\n};');
  const choice = write({ properties: { one: { ...base, anyOf: [{ required: ["x"] }, other] } } }).typescript;
  expect(choice).toContain("one?: AContextOne | AContextOneA;");
  expect(choice).toContain("export type AContextOne = {\n  x: string;\n};");
});

it("Endless combinations end", () => {
  const grow = {
    properties: { a: { allOf: [{ $ref: "#/$defs/Grow" }, base] }, b: { allOf: [{ $ref: "#/$defs/Grow" }, other()] } },
  };
  function other() {
    return { properties: { y: text }, anyOf: [base, { $ref: "#/$defs/Grow" }] };
  }
  const { typescript } = write({ properties: { grow: { $ref: "#/$defs/Grow" } }, $defs: { Grow: grow } });
  expect(typescript.length).toBeLessThan(1_000_000);
});
