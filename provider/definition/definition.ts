/**
 * What a resource definition is. A definition says everything that is particular to one kind of resource;
 * everything that is equal for all of them lives in lifecycle.ts. Nothing here knows the Pulumi engine.
 */
import type { z } from "zod";
import type { AgentServers } from "../api/agent-server/registry";
import type { ControlPlane } from "../api/control-plane/client";
import type { Directory } from "../api/control-plane/deployment-cache";
import type { Revisions } from "../api/control-plane/revisions";
import type { Sources } from "../api/control-plane/sources";
import type { Tracing } from "../api/tracing/client";
import type { Projects } from "../api/tracing/project-cache";
import type { Content } from "../http/client";
import type { Clock } from "../http/clock";
import type { RequestError } from "../http/errors";
import { type Bag, branchesOf, schemaAt } from "../schema/schema";
import type { ServerName } from "../settings/servers";
import type { Settings } from "../settings/settings";
import { UserError } from "../text/user-error";
import type { ChangedValue } from "./changed-values";
import type { Wait } from "./wait";

/** A rule about several fields. It runs when every one of its paths is known; a rule returns what is wrong, or nothing. */
export interface Rule<I> {
  paths: string[];
  /** A warning stands on the resource's row and stops nothing: a newer server may know better. */
  severity?: "error" | "warning";
  check: (inputs: I, previous: Partial<I>, settings: RuleSettings) => Complaint | Complaint[] | undefined;
}

/** The settings that a rule may depend on. */
export type RuleSettings = Pick<Settings, "ownerMarker" | "vocabulary">;

export interface Complaint {
  path: string;
  /** What is wrong, and what to write instead. */
  reason: string;
}

/** What a definition's methods may use. One is made for each call of the engine. */
export interface Context {
  /** @throws SettingsError when a setting that its requests need is missing; so do `revisions`, `directory` and `tracing`. */
  readonly controlPlane: ControlPlane;
  readonly revisions: Revisions;
  readonly directory: Directory;
  readonly tracing: Tracing;
  /** Undefined without the settings that the tracing API needs: what only adds to another kind can do without it. */
  readonly projects: Projects | undefined;
  readonly agents: AgentServers;
  readonly sources: Sources;
  readonly settings: Settings;
  /** Asks an agent server for `/ok`, without a key: the error that it answered with, undefined when it is healthy. */
  checkAgentHealth(url: string): Promise<RequestError | undefined>;
  /** Puts content at a signed address. No key is sent. */
  upload(url: string, headers: Record<string, string>, content: Content): Promise<void>;
  readonly clock: Clock;
  /** The present time of the kind's server, by its own Date header where it sent one. Milliseconds. */
  serverNow(): number;
  /** The time at which this run began, by the server's clock. Milliseconds. */
  runStartedAt(): number;
  /** IDs of what this run created of this type, where the definition notes them. */
  readonly createdInRun: Set<string>;
  /** The mark that this very resource leaves on what it creates: `<owner>/<URN>`. */
  readonly marker: string;
  /** The marker that state says was last written, or was there at an import; absent before the create. */
  readonly owner: string | undefined;
  /** Optional routes that the server was found to lack, as state remembers them. */
  readonly missingRoutes: readonly string[];
  /** Paths of inputs that the server was found not to return although it takes them, as state remembers them. */
  readonly notReturned: readonly string[] | undefined;
  readonly urn: string;
  readonly waitUntil: Wait;
  /** A wait with all of the operation's time again, for a rollback after a timeout. @param label Begins each line on the row. */
  newWait(label: string): Wait;
  /** Shows a status on the resource's own row, replaced by the next one. */
  progress(text: string): void;
  /** Leaves a warning on the resource's row. */
  warn(text: string): void;
  /** From now on these values stand in no text about this resource. Those of its inputs and its state never do. */
  protect(values: Iterable<string>): void;
  /** Returns a text without such values. Everything that leaves is redacted anyway: this is for what is cut before. */
  redact(text: string): string;
  /** Leaves a line on the stack's row, for what no single resource is the cause of. */
  infoOnStack(text: string): void;
}

/** What exists on the server after a create or an update. `ready` runs when the lifecycle already holds the id. */
export interface Made<S> {
  id: string;
  state: S;
  /** The ownership marker that was written with it; absent when none was, or the old one stays. */
  marker?: string;
  /**
   * The inputs that the server is known to hold so far; all of them when absent. Without `ready`, or when it fails, state
   * holds these, so that the next run sends the rest.
   */
  confirmed?: Bag;
  /** Optional routes that this server turned out not to have; state remembers them, since diff asks nobody. */
  missingRoutes?: readonly string[];
  /** Waits until it really works; returns the state at the end. Its failure never loses the id. */
  ready?: () => Promise<S>;
}

/** It failed, and this is what the server holds now: state keeps that in place of what was first answered. */
export class HeldError extends UserError {
  override name = "HeldError";
  constructor(
    message: string,
    readonly inputs: Bag,
    readonly state: Bag,
    readonly missingRoutes?: readonly string[],
  ) {
    super(message);
  }
}

/** What was sent failed, and what ran before was put back: state then holds the old content, so that the next run tries again. */
export class RevertedError extends HeldError {
  override name = "RevertedError";
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
  /** Only what the response shows to be held; all of `inputs` when absent. */
  confirmed?: I;
  /** Whether the last change is not live yet, so that the next up continues even without a difference; as in state when absent. */
  unready?: boolean;
}

/**
 * Why a delete ended without deleting: the resource leaves the state, the object stays, and the user is told. A warning
 * asks for something to be done; a notice tells what is in the nature of the kind.
 */
export type LeftBehind = { warning: string } | { notice: string };

/** What the words of a preview may depend on. */
export interface Outlook<I, S> {
  /** What was last sent, and what the server last answered. */
  previous: I & Partial<S>;
  /** What is wanted. What is not known yet is absent. */
  inputs: Partial<I>;
  /** The present time, by this machine's clock. Milliseconds. */
  now: number;
  /** Why it is replaced even without a change. */
  spent: string | undefined;
  /** Those of the changes whose old value state never saw, as after an adoption: it may be the one that is wanted. */
  unseen?: readonly string[];
  /** Old and new values of the paths in `shows` that may be seen. */
  values?: readonly ChangedValue[];
}

export interface Definition<I extends Bag = Bag, S extends Bag = Bag> {
  readonly kind: string;
  /** The server that it lives on: its settings are needed, and state says which one it was. */
  readonly server: ServerName;
  /** The address of another server that the inputs name themselves: then no setting is needed, and none is compared. */
  ownServer?(inputs: Bag): string | undefined;
  /** The schema of the inputs: a strict object, or a union of them told apart by `discriminator`. */
  readonly inputs: z.ZodType<I>;
  readonly discriminator?: string;
  /** The schema of what the server adds. */
  readonly outputs: z.ZodType<S>;
  /** The input that defaults to the setting `nameTemplate`. */
  readonly named?: string;
  readonly rules: readonly Rule<I>[];
  /** The inputs that two resources of a program cannot have in common, led by the one to report; undefined where they can. */
  unique?(inputs: I): readonly (keyof I & string)[] | undefined;
  /** Fields of another kind that people look for here: what to write instead. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Paths whose change needs a new object. */
  readonly replaceOn: readonly string[];
  /** Inputs that an import takes as they are declared: no server holds them, and to send them would do something. */
  readonly assumed?: readonly string[];
  /** Paths of secret values; `*` stands for every key of a map. */
  readonly secrets: readonly string[];
  /** Paths that are secret as well while this flag of the user is set, or not known. */
  readonly secretsIf?: Readonly<Record<string, readonly string[]>>;
  /** By an optional route: the paths whose change needs a new object where state says that the server lacks it. */
  readonly replaceWithout?: Readonly<Record<string, readonly string[]>>;
  /** Paths whose values the server never shows: where they differ in what is imported, the import sends them. */
  readonly writeOnly?: readonly string[];
  /** Top-level inputs that check adds; nothing else is ever added to what the user wrote. */
  readonly computed?: readonly Computed[];
  /** Paths that name another resource: an unknown there means that one is new. */
  readonly references?: readonly string[];
  /** Inputs that name what holds it, by ID or by URL, where an ID alone does not find it: `get` takes `<one of them>/<ID>`. */
  readonly container?: { id: string; url: string };
  /** Minutes that create, update and delete may take when customTimeouts says nothing. */
  readonly minutes: { create: number; update: number; delete: number };
  /**
   * Why what state holds came to an end that no update can mend, in a few words: the next up replaces it, whatever
   * else differs. A refresh never does.
   */
  spent?(state: Partial<S>): string | undefined;
  /** What making it anew does at once on the live service, beside making it; shown in the preview. */
  opening?(inputs: Partial<I>, now: number): string | undefined;
  /** Says in one line what the next up does where the last one ended before all worked, and nothing differs. */
  readonly unfinished?: string | ((previous: Partial<S>) => string);
  /** What is lost with the object, in the words of a preview; absent when nothing is. */
  readonly loses?: string;
  /** Paths whose old and new values the preview shows beside them. */
  readonly shows?: readonly string[];
  /** Says in one line what these changes do to the live service; shown in the preview. */
  explain(changes: readonly string[], replaces: readonly string[], outlook: Outlook<I, S>): string;
  /** Why a change can only fail or do nothing, by what state says of the server; a warning in the preview. */
  caution?(changes: readonly string[], outlook: Outlook<I, S>): Complaint | undefined;
  /** What is already there that this very resource made; throws when it belongs to somebody else. */
  find?(inputs: I, ctx: Context): Promise<Found | undefined>;
  create(inputs: I, ctx: Context): Promise<Made<S>>;
  /**
   * What the server holds, or undefined when the workspace answered and the object was not in it.
   * @param declared Undefined when nothing is declared: then everything that the server holds is returned.
   */
  read(id: string, declared: I | undefined, previous: Partial<S>, ctx: Context): Promise<Observed<I, S> | undefined>;
  update(id: string, change: Change<I, S>, ctx: Context): Promise<Made<S>>;
  delete(id: string, previous: I & Partial<S>, ctx: Context): Promise<LeftBehind | undefined>;
  /**
   * Which of `ctx.missingRoutes` the server still lacks. Asked by a refresh, and before a replacement that only they
   * cause: a server may have been upgraded, or a proxy have spoken for it.
   */
  stillMissing?(id: string, previous: I & Partial<S>, ctx: Context): Promise<readonly string[]>;
}

export interface Change<I, S> {
  /** What is wanted. */
  inputs: I;
  /** What was last sent, and what the server last answered. */
  previous: I & Partial<S>;
  /** The paths that differ between the two. Empty when an earlier attempt is resumed. */
  paths: readonly string[];
  /** Whether the last run ended before all that it sent was confirmed: then only the server knows what it holds. */
  unfinished: boolean;
}

/** An input that check computes from another one: it is seen in previews, and compared in its place. */
export interface Computed {
  from: string;
  to: string;
  /** @throws UserError when the value it is computed from cannot be used. */
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
    ...Object.entries(definition.secretsIf ?? {}).flatMap(([flag, secret]) => [flag, ...secret]),
    ...Object.values(definition.replaceWithout ?? {}).flat(),
    ...(definition.references ?? []),
    ...(definition.writeOnly ?? []),
    ...(definition.shows ?? []),
    ...definition.rules.flatMap((rule) => rule.paths),
  ];
  for (const path of paths) {
    if (!branches.some((branch) => schemaAt(branch, path) !== undefined)) {
      throw new Error(`${kind}: no input "${path}" exists, but the definition names it.`);
    }
  }
  return { kind, ...definition };
}

/** The paths that are secret in these inputs. */
export function secretsOf({ secrets, secretsIf = {} }: Definition, inputs: Bag): readonly string[] {
  const flags = Object.keys(secretsIf).filter((flag) => (inputs[flag] ?? false) !== false);
  return [...secrets, ...flags.flatMap((flag) => secretsIf[flag] ?? [])];
}
