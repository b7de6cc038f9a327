/** How `agentgraph adopt` finds the objects of a kind, and what of each a person would declare. */
import type { PropertyMap } from "../schema/schema";

/** What a server returned of an object. */
export type Remote = PropertyMap & { id: string };

export interface AdoptFacts {
  /** What the command line and the report call the kind, such as "deployments". */
  readonly plural: string;
  readonly singular: string;
  /** The function that lists them; kinds that are listed together have the same. */
  readonly listedBy: string;
  /** Whether one of what the function lists is of this kind; every one when absent. */
  isOfThisKind?(remote: Remote): boolean;
  /** Whether the service keeps a name of it; where not, adopt takes the one that another tool's state has. */
  readonly isNamed: boolean;
  /** What people call it. @param projects Names of tracing projects by their IDs, as far as they are adopted. */
  title(remote: Remote, projects: ReadonlyMap<string, string>): string;
  /** Why it is left out; undefined when it is not. */
  skip?(remote: Remote, options: { includeEnded: boolean; includeOwned: boolean }): string | undefined;
  /** Its inputs, without what the server filled in by itself. The program states them in the order of the schema. */
  toInputs(remote: Remote, place: AdoptLocation): PropertyMap;
  /** Inputs that hold a value of another resource: where the program declares that one too, it refers to its output. */
  readonly references: Readonly<Record<string, AdoptReference>>;
}

/** An output of another kind of resource. */
export interface AdoptReference {
  readonly kind: string;
  readonly output: string;
}

/** Where an object was found. */
export interface AdoptLocation {
  /** Origins at which a server serves agents by itself. */
  origins: readonly string[];
  /** The deployment that was asked for its threads. */
  deploymentId?: string;
}
