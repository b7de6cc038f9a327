/**
 * What a resource definition is. A definition says everything that is particular to one kind of resource;
 * everything that is equal for all of them lives in lifecycle.ts. Nothing here knows the Pulumi engine.
 */
import { z } from "zod";
import type { ControlPlane } from "./api/control-plane";
import type { Directory } from "./api/directory";
import type { Clock } from "./clock";
import type { Content } from "./http/door";
import { PlainError } from "./http/errors";
import type { Settings } from "./settings";
import type { Wait } from "./wait";

/** A checked, plain value bag. Definitions narrow it to their own types. */
export type Bag = Record<string, unknown>;

/** How a schema behaves beyond validation. Read by compare.ts, api/wire.ts and the generator of sdk/kinds.ts. */
export interface Marks {
  /** The name of the interface that users import for this object. */
  interface?: string;
  /** Two values are the same when they are equal in this sense, whatever their text. */
  compare?: "cpu" | "never";
  /** Computed by check from another input; users read it and do not write it. */
  computed?: boolean;
  /** The keys of this object are written on the wire as they are, not in snake case. */
  verbatim?: boolean;
  /** A text in which the interface's neutral words stand for a vendor's. */
  word?: boolean;
}
export const marks = z.registry<Marks>();

/** A rule about several fields. It runs when every one of its paths is known; a rule returns what is wrong, or nothing. */
export interface Rule<I> {
  paths: string[];
  /** A warning stands on the resource's row and stops nothing: a newer server may know better. */
  severity?: "error" | "warning";
  check: (inputs: I, previous: Partial<I>, settings: RuleSettings) => Complaint | Complaint[] | undefined;
}

/** The settings that a rule may depend on. */
export type RuleSettings = Pick<Settings, "ownerMarker">;

export interface Complaint {
  path: string;
  /** What is wrong, and what to write instead. */
  reason: string;
}

/** What a definition's methods may use. One is made for each call of the engine. */
export interface Context {
  readonly controlPlane: ControlPlane;
  readonly directory: Directory;
  readonly settings: Settings;
  /** Whether an agent server answers /ok. No key is sent. */
  isAgentOk(url: string): Promise<boolean>;
  /** Puts content at a signed address. No key is sent. */
  upload(url: string, headers: Record<string, string>, content: Content): Promise<void>;
  readonly clock: Clock;
  /** The server's present time, by its own Date header where it sent one. Milliseconds. */
  serverNow(): number;
  /** The time at which this run began, by the server's clock. Milliseconds. */
  runStartedAt(): number;
  /** The mark that this very resource leaves on what it creates: `<owner>/<URN>`. */
  readonly marker: string;
  /** The marker that state says was last written, or was there at an import; absent before the create. */
  readonly owner: string | undefined;
  readonly urn: string;
  readonly waitUntil: Wait;
  /** Shows a status on the resource's own row, replaced by the next one. */
  progress(text: string): void;
  /** Leaves a warning on the resource's row. */
  warn(text: string): void;
}

/** What exists on the server after a create or an update. `ready` runs when the lifecycle already holds the id. */
export interface Made<S> {
  id: string;
  state: S;
  /** The ownership marker that was written with it; absent when none was, or the old one stays. */
  marker?: string;
  /** Waits until it really works; returns the state at the end. Its failure never loses the id. */
  ready?: () => Promise<S>;
}

/** What was sent failed, and what ran before was put back: state then holds the old content, so that the next run tries again. */
export class RevertedError extends PlainError {
  override name = "RevertedError";
  constructor(
    message: string,
    readonly inputs: Bag,
    readonly state: Bag,
  ) {
    super(message);
  }
}

/** Something that is already there and was made by this very resource: an interrupted run. */
export interface Found {
  id: string;
  /** Why it is taken for ours. */
  because: string;
}

/** What the server holds, said in the terms of the inputs. */
export interface Observed<I, S> {
  inputs: I;
  state: S;
  /** The ownership marker that it carries; absent when it carries none, or the server does not show it. */
  marker?: string;
}

/** Why a delete ended without deleting: the resource leaves the state, the object stays, and the user is told. */
export interface LeftBehind {
  warning: string;
}

export interface Definition<I extends Bag = Bag, S extends Bag = Bag> {
  readonly kind: string;
  /** The schema of the inputs: a strict object, or a union of them told apart by `discriminator`. */
  readonly inputs: z.ZodType<I>;
  readonly discriminator?: string;
  /** The schema of what the server adds. */
  readonly outputs: z.ZodType<S>;
  /** The input that defaults to the setting `nameTemplate`. */
  readonly named?: string;
  readonly rules: readonly Rule<I>[];
  /** Paths whose change needs a new object. */
  readonly replaceOn: readonly string[];
  /** Paths of secret values; `*` stands for every key of a map. */
  readonly secrets: readonly string[];
  /** Top-level inputs that check adds; nothing else is ever added to what the user wrote. */
  readonly computed?: readonly Computed[];
  /** Paths that name another resource: an unknown there means that one is new. */
  readonly references?: readonly string[];
  /** Minutes that create, update and delete may take when customTimeouts says nothing. */
  readonly minutes: { create: number; update: number; delete: number };
  /** Says in one line what these changes do to the live service; shown in the preview. */
  explain(changes: readonly string[], replaces: readonly string[]): string;
  /** What is already there that this very resource made; throws when it belongs to somebody else. */
  find?(inputs: I, ctx: Context): Promise<Found | undefined>;
  create(inputs: I, ctx: Context): Promise<Made<S>>;
  /** What the server holds, or undefined when the workspace answered and the object was not in it. */
  read(id: string, declared: I, previous: Partial<S>, ctx: Context): Promise<Observed<I, S> | undefined>;
  update(id: string, change: Change<I, S>, ctx: Context): Promise<Made<S>>;
  delete(id: string, previous: I & Partial<S>, ctx: Context): Promise<LeftBehind | undefined>;
}

export interface Change<I, S> {
  /** What is wanted. */
  inputs: I;
  /** What was last sent, and what the server last answered. */
  previous: I & Partial<S>;
  /** The paths that differ between the two. Empty when an earlier attempt is resumed. */
  paths: readonly string[];
}

/** An input that check computes from another one: it is seen in previews, and compared in its place. */
export interface Computed {
  from: string;
  to: string;
  /** @throws PlainError when the value it is computed from cannot be used. */
  compute(value: unknown): Promise<unknown>;
}

/** Checks a definition when the package loads: a wrong path here would be a silent bug in somebody's production. */
export function defineResource<I extends Bag, S extends Bag>(
  kind: string,
  definition: Omit<Definition<I, S>, "kind">,
): Definition<I, S> {
  const branches = branchesOf(definition.inputs, definition.discriminator);
  const paths = [
    ...definition.replaceOn,
    ...definition.secrets,
    ...(definition.references ?? []),
    ...definition.rules.flatMap((rule) => rule.paths),
  ];
  for (const path of paths) {
    if (!branches.some((branch) => schemaAt(branch, path) !== undefined)) {
      throw new Error(`${kind}: no input "${path}" exists, but the definition names it.`);
    }
  }
  return { kind, ...definition };
}

/** The strict objects that a definition's inputs consist of. */
export function branchesOf(schema: z.ZodType, discriminator?: string): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (discriminator && schema instanceof z.ZodDiscriminatedUnion) return schema.options as unknown as z.ZodObject[];
  throw new Error("Inputs are a strict object, or a discriminated union of them.");
}

/** The branch that a value belongs to; undefined when its discriminator names none. */
export function branchFor(
  definition: Pick<Definition, "inputs" | "discriminator">,
  value: Bag,
): z.ZodObject | undefined {
  const branches = branchesOf(definition.inputs, definition.discriminator);
  const key = definition.discriminator;
  if (!key) return branches[0];
  return branches.find((branch) => (branch.shape[key] as z.ZodLiteral).value === value[key]);
}

/** The schema inside `optional`, `nullable` and the like. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** A path as a text, `sourceConfig.listenerId`, or as its keys where a key may itself hold a dot. */
export type Path = string | readonly PropertyKey[];
const keysOf = (path: Path) => (typeof path === "string" ? (path === "" ? [] : path.split(".")) : path.map(String));

/** The schema at a path such as `sourceConfig.listenerId` or `secrets.*`. */
export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const key of keysOf(path)) at = at && childOf(at, key);
  return at;
}

export function childOf(schema: z.ZodType, key: string): z.ZodType | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return inner.shape[key] as z.ZodType | undefined;
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
  return undefined;
}

/** The value at a path; undefined when any part of the way is missing. */
export function valueAt(value: unknown, path: Path): unknown {
  return keysOf(path).reduce((at, key) => (isBag(at) ? at[key] : undefined), value);
}

/** Whether the value at a path, or anything on the way to it, is of some sort. */
export function someOnTheWay(value: unknown, path: Path, test: (value: unknown) => boolean): boolean {
  const keys = keysOf(path);
  return keys.some((_, index) => test(valueAt(value, keys.slice(0, index + 1))));
}

/** An object or a list: something with values inside. */
const isBag = (value: unknown): value is Bag => typeof value === "object" && value !== null;

/** Whether `path` is `pattern` or lies below it; `*` in the pattern stands for any one key. */
export function isWithin(path: string, pattern: string): boolean {
  const keys = path.split(".");
  return pattern.split(".").every((part, index) => part === "*" || part === keys[index]) || pattern === "";
}
