/** What a program declares, and what its inputs may contain in place of a value. */
import type { z } from "zod";
import type { PropertyMap } from "../../../provider/schema/schema";
import { definitionsByKind, isPlainObject, type Kind } from "../types";

/** An input that the program reads from the configuration of the stack. */
export class ConfigReference {
  constructor(readonly key: string) {}
}

/** An input that is the output of another declared resource. */
export class OutputReference {
  constructor(
    readonly to: Pick<Declared, "kind" | "variable">,
    readonly output: string,
    /** Where the output is a map. */
    readonly key?: string,
  ) {}
}

/** A resource, or a component, that the program declares. */
export interface Declared {
  kind: Kind | typeof SERVICES;
  /** Its class. */
  type: string;
  name: string;
  variable: string;
  /** In the order of the schema. A value may be a reference, at any depth. */
  inputs: PropertyMap;
  /** What may describe the inputs. */
  schemas: readonly z.ZodType[];
}

/** The kind of components. */
export const SERVICES = "services";

/** Returns the kinds in the order of a program. Components follow the destinations, to which alone they refer. */
export function kindsInOrder(): (Kind | typeof SERVICES)[] {
  return [...definitionsByKind().keys()].flatMap((kind) => (kind === "destinations" ? [kind, SERVICES] : [kind]));
}

/** Replaces each reference in a value with what a language writes for it. */
export function mapReferences(
  value: unknown,
  convert: (reference: ConfigReference | OutputReference) => unknown,
): unknown {
  if (value instanceof ConfigReference || value instanceof OutputReference) return convert(value);
  if (Array.isArray(value)) return value.map((part) => mapReferences(part, convert));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapReferences(part, convert)]));
}
