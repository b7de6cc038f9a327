/** What every kind of resource must say about itself: the list of what a new kind brings. */
import { z } from "zod";
import type { Definition } from "../../provider/definition/definition";
import { definitions } from "../../provider/definitions";
import { pathsOf } from "../../provider/schema/fields";
import { metadataOf, type Reference, schemaAt, variantsOf } from "../../provider/schema/schema";
import { SERVERS } from "../../provider/settings/servers";
import { parseDuration } from "../../provider/text/format";

type Fact = [name: string, holds: (definition: Definition) => boolean];

const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
const isTextOrNull = (value: unknown) => value === null || isText(value);

const isOutput = ({ kind, output }: Reference) =>
  definitions.some(({ schema, ...one }) => one.kind === kind && (output === "id" || output in outputsOf(schema)));
const outputsOf = ({ outputs }: Definition["schema"]) => (outputs as z.ZodObject).shape;

/** One line a fact. A kind that lacks one fails by its name. */
const FACTS: readonly Fact[] = [
  ["what it is", ({ description }) => isText(description)],
  ["the server that it lives on", ({ server }) => Object.hasOwn(SERVERS, server)],
  ["a schema of what it returns", ({ schema }) => schema.outputs instanceof z.ZodObject],
  ["which changes need a new object", ({ schema }) => pathsOf(schema, ({ replaces }) => replaces).length > 0],
  ["what a replacement is", ({ impact }) => ["replace", "restart"].includes(impact.replacement)],
  ["what is lost with it, or that nothing is", ({ impact }) => isTextOrNull(impact.loses)],
  [
    "what a delete leaves, or that nothing is left",
    ({ impact }) => typeof impact.onDelete === "function" || isTextOrNull(impact.onDelete),
  ],
  [
    "how long it may take",
    ({ timeouts }) => (["create", "update", "delete"] as const).every((key) => parseDuration(timeouts[key] ?? "")),
  ],
  ["what adopt calls it", ({ adopt }) => isText(adopt.noun)],
  [
    "how it is listed",
    ({ listing: { args, pages, detailsOf } }) =>
      args instanceof z.ZodObject && [pages, detailsOf].every((fact) => typeof fact === "function"),
  ],
  ["whether the server stores a name, for adopt", ({ adopt }) => typeof adopt.isNamed === "boolean"],
  ["how an import fetches it", ({ adopt }) => typeof adopt.fetch === "function"],
  ["how adopt declares it", ({ adopt }) => [adopt.title, adopt.toInputs].every((fact) => typeof fact === "function")],
  [
    "whose outputs its inputs contain, each of a kind that exists",
    ({ schema }) => schema.fields.every(({ reference }) => reference === undefined || isOutput(reference)),
  ],
  [
    "its five verbs",
    (definition) =>
      (["create", "read", "update", "delete"] as const).every((verb) => typeof definition[verb] === "function"),
  ],
];

/** The facts that a kind does not state. */
function missingFacts(definition: Definition): string[] {
  return FACTS.filter(([, holds]) => {
    try {
      return !holds(definition);
    } catch {
      return true;
    }
  }).map(([name]) => name);
}

it.each(definitions.map((definition) => [definition.kind, definition] as const))(
  "%s states every fact about itself",
  (_kind, definition) => expect(missingFacts(definition)).toEqual([]),
);

it("A kind that lacks a fact fails with the name of the fact", () => {
  const [whole] = definitions;
  if (!whole) throw new Error("There is no definition.");
  expect(missingFacts({ kind: "Dummy" } as never)).toEqual(FACTS.map(([name]) => name));
  const { loses: _, ...impact } = whole.impact;
  expect(missingFacts({ ...whole, impact } as never)).toEqual(["what is lost with it, or that nothing is"]);
  const { adopt: _adopt, ...rest } = whole;
  expect(missingFacts(rest as never).every((fact) => /adopt|import/.test(fact))).toBe(true);
});

it.each(definitions)(
  "Every input that $kind names, in a rule or the metadata of another field, exists",
  ({ schema, rules }) => {
    const outputs = Object.values(outputsOf(schema)).map((output) => metadataOf(output as z.ZodType));
    const named = [
      ...rules.flatMap(({ paths }) => paths),
      ...schema.fields.flatMap(({ secret, computed }) =>
        [typeof secret === "string" ? secret : [], computed?.from ?? []].flat(),
      ),
      ...outputs.flatMap(({ stable, outlives }) => [...(stable?.except ?? []), ...(outlives?.except ?? [])]),
    ];
    const exists = (path: string) => variantsOf(schema.inputs).some((variant) => schemaAt(variant, path) !== undefined);
    expect(named.filter((path) => !exists(path))).toEqual([]);
  },
);

it("No two kinds share a name, for users or for adopt", () => {
  const names = definitions.flatMap(({ kind, adopt }) => [kind, adopt.noun]);
  expect(new Set(names).size).toBe(names.length);
});
