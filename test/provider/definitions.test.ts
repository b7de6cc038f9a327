/** What the types of a definition cannot require of each kind. */
import type { z } from "zod";
import type { Definition } from "../../provider/definition/definition";
import { definitions } from "../../provider/definitions";
import { pathsOf } from "../../provider/schema/fields";
import { metadataOf, type Reference, schemaAt, variantsOf } from "../../provider/schema/schema";
import { parseDuration } from "../../provider/text/format";

const outputsOf = ({ outputs }: Definition["schema"]) => (outputs as z.ZodObject).shape;
const isOutput = ({ kind, output }: Reference) =>
  definitions.some(({ schema, ...one }) => one.kind === kind && (output === "id" || output in outputsOf(schema)));

it.each(definitions)(
  "$kind says which changes need a new object, how long it may take, and which outputs its inputs contain",
  ({ schema, timeouts }) => {
    expect(pathsOf(schema, ({ replaces }) => replaces)).not.toEqual([]);
    expect(Object.values(timeouts).filter((text) => !parseDuration(text))).toEqual([]);
    expect(schema.fields.filter(({ reference }) => reference !== undefined && !isOutput(reference))).toEqual([]);
  },
);

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
