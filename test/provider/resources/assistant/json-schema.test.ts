/** Compares a context with the JSON Schema of its graph, also inside of objects and lists. */
import { findProblems } from "../../../../provider/resources/assistant/json-schema";

const model = {
  type: "object",
  properties: { name: { type: "string" }, size: { enum: ["small", "large"] }, next: { $ref: "#/$defs/Model" } },
  required: ["name"],
  additionalProperties: false,
};
const schema = {
  type: "object",
  properties: {
    model: { allOf: [{ $ref: "#/$defs/Alias" }] },
    models: { type: "array", items: { $ref: "#/$defs/Model" } },
    limits: { type: "object", additionalProperties: { type: "integer" } },
    choice: { anyOf: [{ $ref: "#/$defs/Model" }, { type: "null" }] },
    several: { anyOf: [{ $ref: "#/$defs/Model" }, { type: "object", properties: { id: { type: "string" } } }] },
    open: { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
    circle: { $ref: "#/$defs/Circle" },
  },
  required: ["model"],
  $defs: { Model: model, Alias: { $ref: "#/$defs/Model" }, Circle: { $ref: "#/$defs/Circle" } },
};
const found = (values: object) =>
  findProblems(schema, values as never).map(({ key, reason }) => `${key}: ${reason.replace("its graph ", "")}`);

it.each<[string, object, string[]]>([
  ["matches", { model: { name: "a", size: "small", next: { name: "b" } }, limits: { a: 1 }, choice: null }, []],
  ["lacks a key that each run may add", {}, []],
  ["has an unknown key", { modle: {} }, ['modle: does not know this key; did you mean "model"?']],
  ["has a wrong type inside", { model: { name: 1 } }, ["model.name: expects string."]],
  ["has a wrong value inside", { model: { name: "a", size: "tiny" } }, ['model.size: expects "small" or "large".']],
  ["has a typo in it", { model: { name: "a", siez: 1 } }, ['model.siez: does not know this key; did you mean "size"?']],
  ["lacks a required key inside", { model: {} }, ["model: requires the key name."]],
  ["is wrong at two levels", { model: { name: "a", next: { name: 2 } } }, ["model.next.name: expects string."]],
  [
    "is wrong in a list",
    { models: [{ name: "a" }, { name: 2 }, "x"] },
    ["models.1.name: expects string.", "models.2: expects object."],
  ],
  ["is wrong in a map", { limits: { a: 1, b: "x" } }, ["limits.b: expects integer."]],
  ["is wrong in the only choice of its type", { choice: { name: 1 } }, ["choice.name: expects string."]],
  ["matches no choice", { choice: "x" }, ["choice: expects object or null."]],
  ["may be another choice", { several: { id: 1, name: 2 } }, []],
  ["has other keys where they are possible", { open: { b: 1 } }, []],
  ["has a schema that names itself", { circle: { a: 1 } }, []],
])("A context that %s", (_what, values, problems) => {
  expect(found(values)).toEqual(problems);
});

it("A value deeper than the limit is not compared", () => {
  const nested = (levels: number): object => (levels === 0 ? { name: 1 } : { name: "a", next: nested(levels - 1) });
  expect(found({ model: nested(3) })).toEqual(["model.next.next.next.name: expects string."]);
  expect(found({ model: nested(50) })).toEqual([]);
});
