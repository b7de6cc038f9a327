/** What a class of the SDK knows of its kind at run time. */
import type { Definition } from "../../../dist/provider/definition/definition.js";
import { pathsOf, secretPaths } from "../../../dist/provider/schema/fields.js";
import { variantsOf } from "../../../dist/provider/schema/schema.js";
import { shapeOf } from "./writer.ts";

/** Returns the paths below inputs whose objects have no free keys. */
function nestedPaths({ fields }: Definition["schema"]): string[] {
  const isFree = (path: string) =>
    fields.some((field) => field.pattern !== field.path && path.startsWith(`${field.path}.`));
  return fields.map(({ path }) => path).filter((path) => path.includes(".") && !isFree(path));
}

export function metadata({ schema }: Definition): string {
  const { inputs, outputs } = schema;
  const added = [...Object.keys(shapeOf(outputs)), ...pathsOf(schema, ({ computed }) => computed)];
  const written = variantsOf(inputs).flatMap((branch) => Object.keys(branch.shape));
  return JSON.stringify({
    inputs: [...new Set(written)].filter((key) => !added.includes(key)),
    nestedInputs: nestedPaths(schema),
    outputs: added,
    secrets: secretPaths(schema, {}).filter((path) => !path.includes(".")),
    nameFrom: schema.nameInput,
    idProperty: schema.idProperty,
    container: schema.container,
  });
}
