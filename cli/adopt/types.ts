/** What is passed from reading the service to writing the program. */
import type { Definition } from "../../provider/definition/definition";
import type { PropertyMap } from "../../provider/schema/schema";

/** A kind in the plural, as the command line names it. */
export type Kind = string;

/** Every kind, by its plural; in the order of the program that is written. Loaded late, since --help needs no definition. */
export function kinds(): ReadonlyMap<Kind, Definition> {
  const { definitions } = require("../../provider/definitions") as typeof import("../../provider/definitions");
  return new Map(definitions.map((definition) => [definition.adopt.plural, definition]));
}

export function definitionOf(kind: Kind): Definition {
  const definition = kinds().get(kind);
  if (!definition) throw new Error(`No definition is adopted as ${kind}.`);
  return definition;
}

/** Whether its list needs no other object to be named first, such as the deployment of threads. */
export const isFoundUnasked = ({ schema }: Definition): boolean => schema.container === undefined;

/** Something on the service that may be declared. */
export interface Candidate {
  kind: Kind;
  id: string;
  /** What the service, or the state of another tool, calls it. */
  title: string;
  /** What is to be declared of it, as far as a list tells. */
  declared: PropertyMap;
}

/** Stands where a secret is: no value of one goes further than what reads them. */
export class Secret {
  constructor(
    /** Where it is among the inputs, each key by itself. */
    readonly path: readonly string[],
    /** What state holds in its place: that it was not seen, or empty where the service shows no values at all. */
    readonly held: string,
    /** Whether the definition knows that it is one, so that all it reads there is kept secret. */
    readonly isKnown = true,
  ) {}

  /** What people call it: the last key is enough, since a resource has few secrets. */
  get name(): string {
    return this.path.at(-1) ?? "secret";
  }
}

/** Something on the service, as its resource reads it. */
export interface Adopted extends Omit<Candidate, "declared"> {
  name: string;
  variable: string;
  inputs: PropertyMap;
  outputs: PropertyMap;
}

/** Something on the service that is not declared. */
export interface LeftOut {
  kind: Kind;
  id: string;
  title: string;
  why: string;
}

export const isBag = (value: unknown): value is PropertyMap =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype;
