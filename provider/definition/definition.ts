/**
 * What a resource definition is: everything that is particular to one kind of resource, as data and five verbs. What is
 * equal for all kinds lives in engine/ and plan/. Nothing here knows the Pulumi engine.
 */
import type { z } from "zod";
import { type PropertyMap, schemaAt, variantsOf } from "../schema/schema";
import type { ServerName } from "../settings/servers";
import type { Settings } from "../settings/settings";
import type { AdoptFacts } from "./adopt";
import type { Context } from "./context";
import type { ImpactFacts } from "./impact";
import type { OptionalRoute } from "./optional-route";
import type { CreateResult, ExistingResource, ReadResult, RetainedResource, UpdateRequest } from "./results";

/** A rule about several fields. It runs when every one of its paths is known; a rule returns what is wrong, or nothing. */
export interface Rule<I> {
  paths: string[];
  /** A warning stands on the resource's row and stops nothing: a newer server may know better. */
  severity?: "error" | "warning";
  check: (inputs: I, previous: Partial<I>, settings: RuleSettings) => CheckFailure | CheckFailure[] | undefined;
}

/** The settings that a rule may depend on. */
export type RuleSettings = Pick<Settings, "ownerMarker" | "vocabulary">;

export interface CheckFailure {
  path: string;
  /** What is wrong, and what to write instead. */
  reason: string;
}

/** What the inputs and outputs are. */
export interface ResourceSchema<I, S> {
  /** A strict object, or a union of them told apart by `discriminator`. */
  readonly inputs: z.ZodType<I>;
  readonly discriminator?: string;
  /** What the server adds. */
  readonly outputs: z.ZodType<S>;
  /** The input that defaults to the setting `nameTemplate`. */
  readonly nameFrom?: string;
  /** Top-level inputs that check adds; nothing else is ever added to what the user wrote. */
  readonly derived?: readonly DerivedInput[];
  /** Fields of another kind that people look for here: what to write instead. */
  readonly foreignFields?: Readonly<Record<string, string>>;
  /** Inputs that name what holds it, by ID or by URL, where an ID alone does not find it: `get` takes `<one of them>/<ID>`. */
  readonly container?: { id: string; url: string };
  /** Inputs that an import takes as they are declared: no server holds them, and to send them would do something. */
  readonly assumed?: readonly string[];
  /** Outputs that an update of these inputs changes; it leaves all others that name something as they are. */
  readonly follows?: Readonly<Record<string, readonly string[]>>;
}

/** An input that check computes from another one: it is seen in previews, and compared in its place. */
export interface DerivedInput {
  from: string;
  to: string;
  /** @throws UserError when the value it is computed from cannot be used. */
  compute(value: unknown): Promise<unknown>;
}

export interface SecretFacts {
  /** Paths of secret values; `*` stands for every key of a map. */
  readonly paths: readonly string[];
  /** Paths that are secret as well while this flag of the user is set, or not known. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  /** Paths whose values the server never shows: where they differ in what is imported, the import sends them. */
  readonly writeOnly?: readonly string[];
}

/** When a change needs a new object. */
export interface ReplaceFacts<S> {
  /** Paths whose change needs one. */
  readonly on: readonly string[];
  /** Paths that name another resource: an unknown there means that one is new. By path, what that is in a preview. */
  readonly references?: Readonly<Record<string, string>>;
  /** Paths that another resource's output usually stands in: where this run replaces that one, this one is replaced too. */
  readonly byValue?: Readonly<Record<string, string>>;
  /** By optional route: the paths whose change needs one where state says that the server lacks the route. */
  readonly withoutRoute?: Readonly<Record<string, readonly string[]>>;
  /**
   * Why what state holds came to an end that no update can fix, in a few words: the next up replaces it, whatever else
   * differs. A refresh never does.
   */
  when?(state: Partial<S>): string | undefined;
}

export interface Definition<I extends PropertyMap = PropertyMap, S extends PropertyMap = PropertyMap> {
  readonly kind: string;
  /** The server that it lives on: its settings are needed, and state says which one it was. */
  readonly server: ServerName;
  /** The address of another server that the inputs name themselves: then no setting is needed, and none is compared. */
  endpointFromInputs?(inputs: PropertyMap): string | undefined;
  readonly schema: ResourceSchema<I, S>;
  readonly rules: readonly Rule<I>[];
  /** The inputs that two resources of a program cannot have in common, led by the one to report; undefined where they can. */
  unique?(inputs: I): readonly (keyof I & string)[] | undefined;
  readonly secrets: SecretFacts;
  readonly replace: ReplaceFacts<S>;
  readonly impact: ImpactFacts<I, S>;
  /** How long each may take when customTimeouts says nothing, such as "30m". */
  readonly timeouts: Readonly<Record<"create" | "update" | "delete", string>>;
  readonly adopt: AdoptFacts;
  /** Routes that a server may lack, which `agentgraph doctor` probes. */
  readonly optionalRoutes: readonly OptionalRoute[];
  /** What this resource has created already; throws when it belongs to somebody else. */
  find?(inputs: I, ctx: Context): Promise<ExistingResource | undefined>;
  create(inputs: I, ctx: Context): Promise<CreateResult<S>>;
  /**
   * What the server holds, or undefined when the workspace answered and the object was not in it.
   * @param declared Undefined when nothing is declared: then everything that the server holds is returned.
   */
  read(id: string, declared: I | undefined, previous: Partial<S>, ctx: Context): Promise<ReadResult<I, S> | undefined>;
  update(id: string, change: UpdateRequest<I, S>, ctx: Context): Promise<CreateResult<S>>;
  delete(id: string, previous: I & Partial<S>, ctx: Context): Promise<RetainedResource | undefined>;
  /**
   * Which of `ctx.missingRoutes` the server still lacks. Asked by a refresh, and before a replacement that only they
   * cause: a server may have been upgraded, or a proxy have spoken for it.
   */
  stillMissing?(id: string, previous: I & Partial<S>, ctx: Context): Promise<readonly string[]>;
}

/** What no definition can do without: of several that are missing the compiler names only the first. */
const FACTS = [
  ...(["server", "schema", "rules", "secrets", "replace", "impact", "timeouts", "adopt", "optionalRoutes"] as const),
  ...(["create", "read", "update", "delete"] as const),
] as const satisfies readonly (keyof Definition)[];

/** Checks a definition when the package loads: a wrong path here would be a silent bug in somebody's production. */
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
  return { kind, ...definition };
}

/** Every path of an input that a definition names. */
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
    ...Object.values(schema.follows ?? {}).flat(),
    ...impact.effects.map(([prefix]) => prefix).filter((prefix) => prefix !== ""),
    ...(impact.shows ?? []),
    ...Object.keys(impact.unknowns ?? {}),
    ...rules.flatMap((rule) => rule.paths),
  ];
}

/** The paths that are secret in these inputs. */
export function secretsOf({ secrets: { paths, when = {} } }: Definition, inputs: PropertyMap): readonly string[] {
  const flags = Object.keys(when).filter((flag) => (inputs[flag] ?? false) !== false);
  return [...paths, ...flags.flatMap((flag) => when[flag] ?? [])];
}
