/** The components of the package schema, from their tables. */
import {
  AGENT_SERVICE_DESCRIPTION,
  type OwnField,
  SERVICE_ARGUMENTS,
  SERVICE_OUTPUTS,
  type ServiceArgument,
  type ServiceOutput,
  type ServicePart,
} from "../../provider/components/agent-service";
import { definitions } from "../../provider/definitions";
import { resourceOf } from "./resources";
import type { PropertySpec, ResourceSpec, TypeSpec } from "./spec";
import type { TypeRegistry } from "./types";

/** Returns the component AgentService. */
export function agentServiceSpec(types: TypeRegistry): ResourceSpec {
  const args = Object.entries<ServiceArgument>(SERVICE_ARGUMENTS);
  const outputs = Object.entries<ServiceOutput>(SERVICE_OUTPUTS);
  return {
    isComponent: true,
    description: AGENT_SERVICE_DESCRIPTION,
    properties: Object.fromEntries(outputs.map(([key, output]) => [key, outputOf(output)])),
    required: outputs.filter(([, { isRequired }]) => isRequired).map(([key]) => key),
    inputProperties: Object.fromEntries(args.map(([key, argument]) => [key, argumentOf(argument, types)])),
    requiredInputs: args.filter(([, { isRequired }]) => isRequired).map(([key]) => key),
  };
}

const TEXT: TypeSpec = { type: "string" };

const outputOf = ({ description, isMap }: ServiceOutput): PropertySpec => ({
  ...(isMap ? { type: "object", additionalProperties: TEXT } : TEXT),
  description,
});

/**
 * An object whose keys must be known is plain: then all languages reject an Output of it where they compile. The
 * entries of a map are not, because the generator for Go would leave out their type; the component checks them.
 */
function argumentOf({ description, part, isMap }: ServiceArgument, types: TypeRegistry): PropertySpec {
  const type = partOf(part, types);
  return { ...(isMap ? { type: "object", additionalProperties: type } : type), plain: true, description };
}

/** Registers the type of a part: the inputs of its kind, and its own fields. */
function partOf({ kind, description, sets, optional = [], own = {} }: ServicePart, types: TypeRegistry): TypeSpec {
  const definition = definitions.find((one) => one.kind === kind);
  if (!definition) throw new Error(`${kind} is not a kind of resource.`);
  const { inputProperties, requiredInputs = [] } = resourceOf(definition, types);
  const inputs = Object.entries(inputProperties).filter(([key]) => !sets.includes(key));
  return types.register(`Service${kind}`, {
    description,
    type: "object",
    properties: Object.fromEntries([
      ...inputs.map(([key, { willReplaceOnChanges: _, ...property }]) => [key, property] as const),
      ...Object.entries(own).map(([key, field]) => [key, ownOf(field, types)] as const),
    ]),
    required: requiredInputs.filter((key) => ![...sets, ...optional].includes(key)),
  });
}

const ownOf = ({ description, part }: OwnField, types: TypeRegistry): PropertySpec => ({
  ...(part ? partOf(part, types) : TEXT),
  plain: true,
  description,
});
