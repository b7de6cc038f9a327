/**
 * A resource definition: everything specific to one kind of resource, as data and five verbs. What all kinds share is in
 * engine/ and plan/. Nothing here depends on the Pulumi engine.
 */
import { z } from "zod";
import { type PropertyMap, schemaAt, variantsOf } from "../schema/schema";
import type { ServerName } from "../settings/servers";
import type { Settings } from "../settings/settings";
import type { ContainerInputs } from "../text/container-id";
import type { AdoptFacts } from "./adopt";
import type { Context } from "./context";
import type { ImpactFacts } from "./impact";
import type { OptionalRoute } from "./optional-route";
import type { ExistingResource, Observation, RetainedResource, UpdateRequest } from "./results";
import type { RunScope } from "./run-scope";

/** A validation rule across fields. Runs when all of its paths are known; returns what is wrong, if anything. */
export interface Rule<I> {
  paths: string[];
  /** A warning does not stop the operation, since a newer server may accept the value. Default: error. */
  severity?: "error" | "warning";
  check: (inputs: I, previous: Partial<I>, settings: RuleSettings) => CheckFailure | CheckFailure[] | undefined;
}

/** The settings that a rule may depend on. */
export type RuleSettings = Pick<Settings, "ownerMarker" | "vocabulary">;

export interface CheckFailure {
  path: string;
  /** What is wrong, and what is expected. */
  reason: string;
}

/** The inputs and outputs of a kind. */
export interface ResourceSchema<I, S> {
  /** A strict object, or a union of strict objects with a `discriminator`. */
  readonly inputs: z.ZodType<I>;
  readonly discriminator?: string;
  /** The properties that the server adds. */
  readonly outputs: z.ZodType<S>;
  /** The input that defaults to the name of the resource. */
  readonly nameFrom?: string;
  /** Top-level inputs that check computes; nothing else is added to what the program declares. */
  readonly derived?: readonly DerivedInput[];
  /** Fields of other kinds that users expect here, with the message that points to the right one. */
  readonly foreignFields?: Readonly<Record<string, string>>;
  /** Inputs that identify the parent by ID or URL, when an ID alone is not enough: `get` takes `<parent>/<ID>`. */
  readonly container?: ContainerInputs;
  /** Inputs that an import takes from the program: the server does not store them, and sending them has an effect. */
  readonly assumed?: readonly string[];
  /** Outputs that no update changes, so that previews keep them known. */
  readonly stable: readonly string[];
  /** By stable output: the inputs whose update changes it after all. */
  readonly follows?: Readonly<Record<string, readonly string[]>>;
  /** By output that may outlive the object: the inputs that decide it. A replacement that changes one of them changes it. */
  readonly outlives?: Readonly<Record<string, readonly string[]>>;
}

/** An input that check computes from another one; previews show and compare it in place of that one. */
export interface DerivedInput {
  from: string;
  to: string;
  /** @throws UserError when the source value cannot be used. */
  compute(value: unknown, scope: RunScope): Promise<unknown>;
}

export interface SecretFacts {
  /** Paths of secret values; `*` matches every key of a map. */
  readonly paths: readonly string[];
  /** By boolean input: paths that are secret while it is true or unknown. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  /** Paths that the server never returns; an import sends them when they differ. */
  readonly writeOnly?: readonly string[];
}

/** Which changes replace the object. */
export interface ReplaceFacts<S> {
  /** Paths whose change replaces it. */
  readonly on: readonly string[];
  /** Paths that reference another resource, whose unknown value means that resource is new. By path: the reason shown. */
  readonly references?: Readonly<Record<string, string>>;
  /** Paths that usually contain another resource's output: replacing that resource replaces this one. By path: the reason. */
  readonly byValue?: Readonly<Record<string, string>>;
  /** By optional route: the paths whose change replaces the object when the server lacks the route. */
  readonly withoutRoute?: Readonly<Record<string, readonly string[]>>;
  /**
   * Returns why the object is in a final state that no update can fix, so that the next update replaces it. A refresh
   * never replaces it.
   */
  when?(state: Partial<S>): string | undefined;
}

export interface Definition<I extends PropertyMap = PropertyMap, S extends PropertyMap = PropertyMap> {
  readonly kind: string;
  /** What it is, and what creating and changing it does: the doc comment of its class. */
  readonly description: string;
  /** The server that hosts it: its settings are required, and state records which server it was. */
  readonly server: ServerName;
  /** Returns the URL of a server given in the inputs; then no setting is required or compared. */
  endpointFromInputs?(inputs: PropertyMap): string | undefined;
  readonly schema: ResourceSchema<I, S>;
  readonly rules: readonly Rule<I>[];
  /** Returns the inputs that must be unique within a program, the one to report first; undefined when none must be. */
  unique?(inputs: I): readonly (keyof I & string)[] | undefined;
  readonly secrets: SecretFacts;
  readonly replace: ReplaceFacts<S>;
  readonly impact: ImpactFacts<I, S>;
  /** The default timeouts, such as "30m"; customTimeouts overrides them. */
  readonly timeouts: Readonly<Record<"create" | "update" | "delete", string>>;
  readonly adopt: AdoptFacts;
  /** Routes that a server may lack, which `agentgraph doctor` probes. */
  readonly optionalRoutes: readonly OptionalRoute[];
  /** Where the server stores the ownership marker, for messages; absent where it stores none. */
  readonly markerPlace?: string;
  /** Finds what an earlier run of this resource created. @throws OwnershipError when it belongs to another resource. */
  find?(inputs: I, ctx: Context): Promise<ExistingResource | undefined>;
  /** Records the object as soon as it has an ID, then waits until it works, and returns what it is then. So does update. */
  create(inputs: I, ctx: Context): Promise<Observation<I, S>>;
  /**
   * Reads the object; undefined when the server responded and the object does not exist.
   * @param declared The declared inputs; when undefined, all remote values are returned.
   */
  read(id: string, declared: I | undefined, previous: Partial<S>, ctx: Context): Promise<Observation<I, S> | undefined>;
  update(id: string, change: UpdateRequest<I, S>, ctx: Context): Promise<Observation<I, S>>;
  delete(id: string, previous: I & Partial<S>, ctx: Context): Promise<RetainedResource | undefined>;
  /**
   * Returns which of `ctx.missingRoutes` the server still lacks. Called by a refresh, and before a replacement that only
   * they cause: the server may have been upgraded since.
   */
  stillMissing?(id: string, previous: I & Partial<S>, ctx: Context): Promise<readonly string[]>;
}

/** Required facts, checked at load time because the compiler reports only the first missing one. */
const FACTS = [
  ...([
    "description",
    "server",
    "schema",
    "rules",
    "secrets",
    "replace",
    "impact",
    "timeouts",
    "adopt",
    "optionalRoutes",
  ] as const),
  ...(["create", "read", "update", "delete"] as const),
] as const satisfies readonly (keyof Definition)[];

/** Validates a definition when the package loads, since a wrong path would fail silently in production. */
export function defineResource<I extends PropertyMap, S extends PropertyMap>(
  kind: string,
  definition: Omit<Definition<I, S>, "kind">,
): Definition<I, S> {
  const missing = FACTS.filter((fact) => definition[fact] === undefined);
  if (missing.length > 0) throw new Error(`${kind}: the definition lacks ${missing.join(", ")}.`);
  const branches = variantsOf(definition.schema.inputs, definition.schema.discriminator);
  for (const path of pathsIn(definition)) {
    if (!branches.some((branch) => schemaAt(branch, path) !== undefined)) {
      throw new Error(`${kind}: no input "${path}" exists, but the definition names it.`);
    }
  }
  const { outputs, stable } = definition.schema;
  for (const key of stable) {
    if (!(outputs instanceof z.ZodObject) || !Object.hasOwn(outputs.shape, key))
      throw new Error(`${kind}: no output "${key}" exists, but the definition names it.`);
  }
  return { kind, ...definition };
}

/** Returns all input paths that a definition refers to. */
function pathsIn<I extends PropertyMap, S extends PropertyMap>({
  schema,
  rules,
  secrets,
  replace,
  impact,
  adopt,
}: Omit<Definition<I, S>, "kind">): string[] {
  return [
    ...replace.on,
    ...Object.keys({ ...replace.references, ...replace.byValue }),
    ...Object.values(replace.withoutRoute ?? {}).flat(),
    ...Object.keys(adopt.references),
    ...secrets.paths,
    ...Object.entries(secrets.when ?? {}).flatMap(([flag, secret]) => [flag, ...secret]),
    ...(secrets.writeOnly ?? []),
    ...Object.values({ ...schema.follows, ...schema.outlives }).flat(),
    ...impact.effects.map(([prefix]) => prefix).filter((prefix) => prefix !== ""),
    ...(impact.shows ?? []),
    ...Object.keys(impact.unknowns ?? {}),
    ...rules.flatMap((rule) => rule.paths),
  ];
}

/** Returns the paths that are secret for these inputs. */
export function secretsOf({ secrets: { paths, when = {} } }: Definition, inputs: PropertyMap): readonly string[] {
  const flags = Object.keys(when).filter((flag) => (inputs[flag] ?? false) !== false);
  return [...paths, ...flags.flatMap((flag) => when[flag] ?? [])];
}
