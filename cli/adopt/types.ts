/** Types shared by the steps of `agentgraph adopt`. */
import type { Definition } from "../../provider/definition/definition";
import type { PropertyMap } from "../../provider/schema/schema";

/** A kind of resource in the plural, as the command line names it. */
export type Kind = string;

/**
 * Returns the definitions by plural, in the order of the generated program. Loads them lazily, since --help needs none.
 */
export function definitionsByKind(): ReadonlyMap<Kind, Definition> {
  const { definitions } = require("../../provider/definitions") as typeof import("../../provider/definitions");
  return new Map(definitions.map((definition) => [pluralOf(definition), definition]));
}

/** Returns a kind as the command line names it. */
export const pluralOf = ({ adopt }: Definition): Kind => `${adopt.noun}s`;

export function definitionOf(kind: Kind): Definition {
  const definition = definitionsByKind().get(kind);
  if (!definition) throw new Error(`No definition is adopted as ${kind}.`);
  return definition;
}

/** A listed resource that may be adopted. */
export interface Candidate {
  kind: Kind;
  id: string;
  /** Its name on the server or in a Terraform state. */
  title: string;
  /** Its inputs, as far as the list returns them. */
  declared: PropertyMap;
}

/** Stands for a secret, so that no secret value leaves the code that reads it. */
export class Secret {
  constructor(
    /** Path in the inputs, as keys. */
    readonly path: readonly string[],
    /** Its value in state: UNKNOWN_SECRET, or an empty string if the server returns no values of secrets. */
    readonly placeholder: string,
    /** Whether the definition declares it as a secret, so that every value read there is kept secret. */
    readonly isDeclaredSecret = true,
  ) {}

  /** Its last key, which identifies it, since a resource has few secrets. */
  get name(): string {
    return this.path.at(-1) ?? "secret";
  }
}

/** A resource that the program declares. */
export interface Adopted extends Omit<Candidate, "declared"> {
  name: string;
  variable: string;
  inputs: PropertyMap;
  outputs: PropertyMap;
  /** The AgentService that declares it, and where among its arguments. */
  service?: { name: string; variable: string; path: readonly string[] };
}

/** A resource that the program does not declare. */
export interface Skipped {
  kind: Kind;
  id: string;
  title: string;
  reason: string;
}

export const isPlainObject = (value: unknown): value is PropertyMap =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype;

export interface Filter {
  only: readonly Kind[];
  /** Whether what belongs together is declared as one component. Defaults to false. */
  components?: boolean;
  /** Names or IDs; all if absent. */
  deployments?: readonly string[] | undefined;
  nameContains?: string | undefined;
  includeEnded: boolean;
  includeOwned: boolean;
  /** Base URLs of agent servers outside of the control plane. */
  agentUrls: readonly string[];
  /** Deployments, by names or IDs, and agent servers, by URLs, whose threads are adopted. */
  threadsOf: readonly string[];
  /** Metadata that those threads must have. */
  metadata: Readonly<Record<string, string>>;
}

export interface ListResult {
  candidates: Candidate[];
  skipped: Skipped[];
}
