/** What random schedules know of a kind of resource. A new kind adds a file beside this one, and a line to index.ts. */
import type { Arbitrary } from "fast-check";
import type { Emulator } from "../../../../emulator/src/index";
import { ownershipMarker } from "../../../../provider/definition/ownership";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { type ResourceState, Stack } from "../../../support/stack";
import { identityOf } from "../program/names";
import type { Server } from "../server/server";

/** What a program declares in one slot, as plain data. */
export interface Spec {
  slot: string;
}

export interface ChaosKind<S extends Spec = Spec> {
  /** The kind of resource in each slot. The first slots come first: a resource refers to those before it. */
  readonly slots: Readonly<Partial<Record<S["slot"], string>>>;
  /** How often a resource is of this kind, in proportion to the others. */
  readonly weight: number;
  readonly specs: Arbitrary<S>;
  declare(spec: S, program: Program): Declaration;
  /** Compares what the server has with the program. @throws Error that names what differs. */
  verify(world: Observed, specs: readonly S[]): Promise<void>;
  /** Lists objects of the program that its state does not contain. */
  findLeftovers(world: Observed): Promise<Leftover[]>;
  /** Deletes an object; absent where server/others.ts does more than that. */
  remove?(server: Server, id: string): Promise<unknown>;
}

export interface Reference {
  slot: string;
  /** `id`, or an output. */
  output: string;
}

export interface Declaration {
  /** By input. */
  references?: Record<string, Reference>;
  inputs: PropertyMap;
}

/** What exists beside the program, and belongs to others. */
export interface Surroundings {
  emulator: Emulator;
  /** The URL that the program uses. */
  url: string;
  /** The deployment, destination and tracing project of another team. */
  shared: string;
  destinationId: string;
  sessionId: string;
  /** A folder for the sources of deployments. */
  folder: string;
}

export interface Program {
  bySlot: ReadonlyMap<string, Spec>;
  around: Surroundings;
}

/** What is verified of the world. */
export interface Observed {
  readonly server: Server;
  readonly masksSecrets: boolean;
  /** Whether two runs happened at once, which may create an object twice. */
  readonly hadTwoRuns: boolean;
  /** Whether a list of exports or destinations failed: the one after a create is optional, and sent once. */
  readonly hadFailedLists: boolean;
  readonly others: { has(path: string): boolean };
  /** The resources that the program declares now. */
  readonly program: readonly {
    slot: string;
    name: string;
    kind: string;
    references: Record<string, { name: string }>;
  }[];
  readonly engine: { readonly state: ReadonlyMap<string, { resource: ResourceState }> };
  readonly declarations: { readonly specs: readonly Spec[]; readonly imports: ReadonlyMap<string, string> };
}

export interface Leftover {
  id: string;
  kind: string;
  /** What creating it again would have to name it by; undefined when nothing identifies its resource. */
  mustBeNamed: boolean;
  /** The ID of an object in state with the same content: a message that names it is enough. */
  twin?: string | undefined;
  /** Whether the server refuses its deletion, because something that is never deleted refers to it. */
  isKept?: boolean;
  remove(): Promise<unknown>;
}

export const expectEqual = (what: string, actual: unknown, expected: unknown) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
};

/** Returns the state of the resource in a slot. */
export function stateIn(world: Observed, slot: string): ResourceState {
  const { name = slot } = world.program.find((one) => one.slot === slot) ?? {};
  const entry = world.engine.state.get(name);
  if (!entry) throw new Error(`${name} is not in state`);
  return entry.resource;
}

/** The state's IDs. */
export const idsOf = (world: Observed): Set<string> =>
  new Set([...world.engine.state.values()].map(({ resource }) => resource.id));

/** The ownership markers of the declared resources of a kind. */
export function markersOf(world: Observed, kind: string): string[] {
  const declared = world.program.filter((one) => one.kind === kind);
  return declared.map(({ name }) =>
    ownershipMarker("acme", new Stack(world.server as never, { kind, ...identityOf(name) }).urn),
  );
}
