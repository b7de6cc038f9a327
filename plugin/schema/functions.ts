/** The functions of the package schema, from their definitions. */
import { z } from "zod";
import { describeFunction, type FunctionDefinition, itemOf } from "../../provider/functions/definition";
import type { FunctionSpec, ObjectSpec } from "./spec";
import { type TypeRegistry, titleOf } from "./types";

export function functionOf(definition: FunctionDefinition, types: TypeRegistry): FunctionSpec {
  const { name, args, result } = definition;
  const list = listNameOf(definition);
  return {
    description: describeFunction(definition),
    inputs: types.objectOf(args, titleOf(name)),
    outputs: list === undefined ? types.objectOf(itemOf(result), titleOf(name)) : listOf(definition, list, types),
  };
}

/** Returns the property that contains the list that a function returns; undefined if it returns one object. */
export function listNameOf({ name, result }: FunctionDefinition): string | undefined {
  return result instanceof z.ZodArray ? name.charAt(3).toLowerCase() + name.slice(4) : undefined;
}

function listOf({ description, result }: FunctionDefinition, list: string, types: TypeRegistry): ObjectSpec {
  const type = types.typeOf(result, list);
  return {
    properties: { [list]: { ...type, description: description.replace(/^Returns (\w)/, capital) } },
    required: [list],
  };
}

const capital = (_: string, letter: string) => letter.toUpperCase();
