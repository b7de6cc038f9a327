/** The resources of the package schema, from their definitions. */
import type { z } from "zod";
import type { Definition } from "../../provider/definition/definition";
import { dynamicToken } from "../../provider/definition/type-token";
import { pathsOf, secretPaths } from "../../provider/schema/fields";
import { fieldsAt, variantsOf } from "../../provider/schema/schema";
import type { ResourceSpec } from "./spec";
import type { TypeRegistry } from "./types";
import { inputsOf } from "./variants";

export function resourceOf(definition: Definition, types: TypeRegistry): ResourceSpec {
  const { kind, description, schema } = definition;
  const inputs = inputsOf(schema.inputs, kind, types);
  const outputs = types.objectOf(schema.outputs, kind);
  for (const key of secretInputs(definition)) Object.assign(inputs.properties[key] ?? {}, { secret: true });
  const required = inputs.required ?? [];
  const idProperty = schema.idProperty;
  const computed = pathsOf(schema, (field) => field.computed);
  return {
    description,
    aliases: [{ type: dynamicToken(kind) }],
    properties: { ...inputs.properties, ...outputs.properties },
    required: [
      ...new Set([...required, ...(idProperty === undefined ? [] : [idProperty]), ...(outputs.required ?? [])]),
    ],
    inputProperties: Object.fromEntries(Object.entries(inputs.properties).filter(([key]) => !computed.includes(key))),
    // The name has a default, so that only the outputs always have it.
    listInputs: types.objectOf(definition.listing.args, `${kind}List`),
    requiredInputs: required.filter((key) => key !== schema.nameInput),
  };
}

/** Returns the inputs that are secret as a whole. Of a map with secret values, only the values are. */
function secretInputs({ schema }: Definition): string[] {
  const secrets = secretPaths(schema, {});
  const isSecret = (branch: z.ZodObject, key: string) => {
    const fields = fieldsAt(branch, key);
    const paths = fields.length > 0 ? fields.map((field) => `${key}.${field}`) : [key];
    return paths.every((path) => secrets.includes(path));
  };
  return variantsOf(schema.inputs).flatMap((branch) =>
    Object.keys(branch.shape).filter((key) => isSecret(branch, key)),
  );
}
