/** A resource definition: all that is specific to one kind, as data and five verbs, without the Pulumi engine. */
import { type Feature, factsOf, type ServerProfile } from "../api/profile/features";
import { type ResourceSchema, resourceSchema } from "../schema/fields";
import type { InputEffect, PropertyMap } from "../schema/schema";
import type { ServerName } from "../settings/servers";
import type { Settings } from "../settings/settings";
import type { Context, Observation, ReplaceRequest, RetainedResource, UpdateRequest } from "./context";
import type { Listing, Remote } from "./listing";
import type { Succession } from "./moves";
import type { CheckFailure, Rule } from "./rules";

export interface Definition<I extends PropertyMap = PropertyMap, S extends PropertyMap = PropertyMap> {
  readonly kind: string;
  /** What it is, and what creating and changing it does: the doc comment of its class. */
  readonly description: string;
  /** The server that hosts it: its settings are required, and state records which server it was. */
  readonly server: ServerName;
  readonly schema: ResourceSchema<I, S>;
  readonly rules: readonly Rule<I>[];
  /** Returns the inputs that must be unique within a program, the one to report first; undefined when none must be. */
  unique?(inputs: I): readonly (keyof I & string)[] | undefined;
  /** Returns why the object is in a state that no update can fix: the next update, not a refresh, replaces it. */
  endReason?(state: Partial<S>): string | undefined;
  readonly impact: ImpactFacts<I, S>;
  /**
   * How its content outlives a replacement. `container`: it stays the same object where its container passes its
   * content on (`provider/conversations/`). Absent where it is lost.
   */
  readonly succession?: Succession<I, S> | "container";
  /** The defaults, such as "30m"; customTimeouts overrides them. */
  readonly timeouts: Readonly<Record<"create" | "update" | "delete", string>>;
  readonly listing: Listing;
  readonly adopt: AdoptFacts;
  /** What its server needs for a change in place; absent where no input is changed in place. */
  readonly updatedBy?: Feature;
  /** Where the server stores the ownership marker, for messages; absent where it stores none. */
  readonly markerPlace?: string;
  /** Creates the object, or continues with the one that an interrupted run of this resource left. */
  create(inputs: I, ctx: Context): Promise<Observation<I, S>>;
  /** Reads the object; undefined when it does not exist. @param declared The inputs to return; default: all. */
  read(id: string, declared: I | undefined, previous: Partial<S>, ctx: Context): Promise<Observation<I, S> | undefined>;
  update(id: string, change: UpdateRequest<I, S>, ctx: Context): Promise<Observation<I, S>>;
  /** Called before a replacement deletes. Changes nothing. @throws UserError with why the create would surely fail. */
  beforeReplace?(id: string, replacement: ReplaceRequest<I, S>, ctx: Context): Promise<void>;
  delete(id: string, previous: I & Partial<S>, ctx: Context): Promise<RetainedResource | undefined>;
}

export function defineResource<I extends PropertyMap, S extends PropertyMap>(
  kind: string,
  definition: Omit<Definition<I, S>, "kind" | "schema"> & { schema: Pick<ResourceSchema<I, S>, "inputs" | "outputs"> },
): Definition<I, S> {
  return { kind, ...definition, schema: resourceSchema(definition.schema) };
}

export type { ServerProfile } from "../api/profile/features";

/** @param lacks What state records in `__routes`. @param known What is known without a request. */
export const profileOf = (lacks: readonly string[] = [], known: ServerProfile = {}): ServerProfile => ({
  ...known,
  ...Object.fromEntries(lacks.map((feature) => [feature, false])),
});

/** Returns the definition with what its fields do on a server with this profile. */
export function definitionOn(definition: Definition, profile: ServerProfile): Definition {
  const fields = definition.schema.fields.map((field) =>
    field.where && (profile as Record<string, boolean>)[field.where.feature]
      ? { ...field, ...field.where.change }
      : field,
  );
  return { ...definition, schema: { ...definition.schema, fields } };
}

/** Whether a server can change objects of the kind in place, as far as that is known. */
export const canUpdate = ({ updatedBy }: Pick<Definition, "updatedBy">, profile: ServerProfile): boolean =>
  updatedBy === undefined || profile[updatedBy] !== false;

/** What a server that cannot update objects of the kind cannot do, such as "change threads". */
export const purposeOf = ({ updatedBy }: Pick<Definition, "updatedBy">): string =>
  updatedBy === undefined ? "" : factsOf(updatedBy).purpose;

export interface PreviewContext<I, S> {
  /** The last applied inputs and the last known outputs. */
  previous: I & Partial<S>;
  /** The declared inputs, without unknown values at any depth; lists keep their length. */
  inputs: Partial<I>;
  /** The current time of this machine. Milliseconds since the epoch. */
  now: number;
}

/** What a definition states about its impact on the running agent. `null` means there is none. */
interface ImpactFacts<I, S> {
  /** The effect of a replacement: `restart` when the new object repeats the work of the old one, such as an export. */
  readonly replacement: "replace" | "restart";
  /** The data lost with the object, as previews word it: "its history". */
  readonly loses: string | null;
  /** Further consequences of a deletion, in a few words, or what they depend on. */
  readonly onDelete: string | null | ((previous: Partial<I>) => string | null);
  shortPath?(path: string): string;
  /** Returns further consequences of a new object or revision. @param replacing The inputs that cause it. */
  onCreate?(context: PreviewContext<I, S>, replacing?: readonly string[]): string | undefined;
  /** Returns what the next update does when nothing differs but the last one failed or was interrupted. */
  onResume?(previous: Partial<I & S>): Resumption;
  /** Returns a warning when the change, or a create without paths, can only fail or harms something else. */
  warn?(paths: readonly string[], context: PreviewContext<I, S>): CheckFailure | undefined;
}

export interface Resumption {
  /** A new revision is uncertain, since it depends on what the server has. */
  effect: InputEffect;
  note: string;
}

export interface AdoptFacts {
  /** The name of the kind in reports, such as "deployment"; the command line names it in the plural. */
  readonly noun: string;
  /**
   * Whether they are listed only on request, such as threads, of which a server has many. Those that are adopted are
   * fetched as well, since no search returns all of a thread (API `2B.Thread.ttl:response`). Default: no.
   */
  readonly isListedOnRequest?: true;
  /** Returns what references name an object by that is not of this kind, such as the graph of a default assistant. */
  alias?(remote: Remote): string | undefined;
  /** Whether the server stores a name; otherwise adopt uses the name in another tool's state. */
  readonly isNamed: boolean;
  /** Returns the title of an object. @param projects Names of adopted tracing projects by ID. */
  title(remote: Remote, projects: ReadonlyMap<string, string>): string;
  skip?(remote: Remote, options: { includeEnded: boolean; includeOwned: boolean }): string | undefined;
  /** Fetches an object for an import; undefined if it does not exist. @throws OwnershipError for another kind. */
  fetch(id: string, container: PropertyMap, ctx: Context): Promise<Remote | undefined>;
  /** Returns the inputs of an object, without server defaults. The program lists them in the order of the schema. */
  toInputs(remote: Remote, container: PropertyMap, settings: Settings): PropertyMap;
}
