/** Declares what belongs together as one AgentService. */
import { z } from "zod";
import {
  AGENT_SERVICE,
  SERVICE_ARGUMENTS,
  type ServiceArgument,
  type ServicePart,
} from "../../../provider/components/agent-service";
import { type PropertyMap, variantsOf } from "../../../provider/schema/schema";
import { type Adopted, definitionsByKind } from "../types";
import { type Declared, kindsInOrder, OutputReference, SERVICES } from "./declared";

export interface Member {
  adopted: Adopted;
  /** As the program would declare it without a service. */
  declared: Declared;
}

/** Outputs that are the IDs of what a service declares. */
const ID_OUTPUTS: Readonly<Record<string, string>> = {
  deployments: "deploymentId",
  assistants: "assistantIds",
  crons: "cronIds",
  threads: "threadId",
  schedules: "nightlyExportId",
  destinations: "destinationId",
};

/** Returns the output of a service that is an output of one of its resources. */
export function serviceOutput({ kind, service }: Adopted, output: string): OutputReference {
  const {
    variable = "",
    path: [, key],
  } = service ?? { path: [] };
  const to = { kind: SERVICES, variable };
  return output === "id" ? new OutputReference(to, ID_OUTPUTS[kind] ?? "", key) : new OutputReference(to, output);
}

/** Replaces the resources of each service with the service, in the order of a program. */
export function declareServices(all: readonly Member[]): Declared[] {
  const byService = Map.groupBy(all, ({ adopted: { service } }) => service?.variable);
  const plain = (byService.get(undefined) ?? []).map(({ declared }) => declared);
  byService.delete(undefined);
  if (byService.size === 0) return plain;
  const order = kindsInOrder();
  const isBefore = ({ kind }: Declared) => order.indexOf(kind) < order.indexOf(SERVICES);
  const services = [...byService.values()].map(serviceOf);
  return [...plain.filter(isBefore), ...services, ...plain.filter((one) => !isBefore(one))];
}

function serviceOf(members: readonly Member[]): Declared {
  const placed = members.flatMap(({ adopted: { service }, declared }) => (service ? [{ ...service, declared }] : []));
  const { name = "", variable = "" } = placed[0] ?? {};
  const inputs: PropertyMap = {};
  for (const [argument, { part, isMap }] of Object.entries<ServiceArgument>(SERVICE_ARGUMENTS)) {
    const parts = placed.filter(({ path }) => path[0] === argument);
    const values = parts.map(({ path, declared }) => [path.slice(1), argumentsOf(declared, part, variable)] as const);
    const own = Object.fromEntries(values.flatMap(([[key], value]) => (key === undefined ? [] : [[key, value]])));
    const whole = values.find(([{ length }]) => length === 0)?.[1];
    if (values.length > 0) inputs[argument] = isMap ? own : { ...whole, ...own };
  }
  return { kind: SERVICES, type: AGENT_SERVICE, name, variable, inputs, schemas: [serviceSchema()] };
}

/** Returns the inputs of a resource without those that the service sets. */
function argumentsOf({ inputs }: Declared, { sets }: ServicePart, service: string): PropertyMap {
  const entries = Object.entries(inputs).flatMap(([key, value]): [string, unknown][] => {
    if (sets.includes(key)) return [];
    if (!(value instanceof OutputReference) || value.to.variable !== service) return [[key, value]];
    return key === "assistantId" ? [["assistant", value.key]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns the schema of the arguments of a service. */
function serviceSchema(): z.ZodType {
  const kinds = [...definitionsByKind().values()];
  const schemaOf = ({ kind, own = {} }: ServicePart): z.ZodType => {
    const variants = kinds.filter((one) => one.kind === kind).flatMap(({ schema }) => variantsOf(schema.inputs));
    const parts = Object.entries(own).flatMap(([key, { part }]) => (part ? [[key, schemaOf(part)] as const] : []));
    return z.union(variants.map((variant) => variant.extend(Object.fromEntries(parts))));
  };
  const args = Object.entries<ServiceArgument>(SERVICE_ARGUMENTS).map(([key, { part, isMap }]) => [
    key,
    isMap ? z.record(z.string(), schemaOf(part)) : schemaOf(part),
  ]);
  return z.object(Object.fromEntries(args));
}
