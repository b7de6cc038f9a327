/** The functions of the package schema, from their definitions. */
import { z } from "zod";
import { listPropertyOf } from "../../provider/definition/type-token";
import { describeFunction, type FunctionDefinition, itemOf } from "../../provider/functions/definition";
import { titleOf } from "../../provider/schema/model";
import type { FunctionSpec, ObjectSpec } from "./spec";
import type { TypeRegistry } from "./types";

export function functionOf(definition: FunctionDefinition, types: TypeRegistry): FunctionSpec {
  const { name, args, result } = definition;
  const list = listNameOf(definition);
  return {
    description: describeFunction(definition),
    inputs: types.objectOf(args, titleOf(name)),
    outputs:
      list === undefined
        ? withoutUnions(types.objectOf(itemOf(result), titleOf(name)))
        : listOf(definition, list, types),
  };
}

/** Replaces enums that accept other texts by texts: the Python SDK accepts only dicts for a union in a result. */
function withoutUnions({ properties, ...rest }: ObjectSpec): ObjectSpec {
  const plain = Object.entries(properties).map(([key, { oneOf: _, ...property }]) => [key, property]);
  return { ...rest, properties: Object.fromEntries(plain) };
}

/** Returns the property that contains the list that a function returns; undefined if it returns one object. */
export function listNameOf({ name, result }: FunctionDefinition): string | undefined {
  return result instanceof z.ZodArray ? listPropertyOf(name) : undefined;
}

function listOf({ description, result }: FunctionDefinition, list: string, types: TypeRegistry): ObjectSpec {
  const type = types.typeOf(result, list);
  return {
    properties: { [list]: { ...type, description: description.replace(/^Returns (\w)/, capital) } },
    required: [list],
  };
}

const capital = (_: string, letter: string) => letter.toUpperCase();
