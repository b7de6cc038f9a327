/**
 * The impact of an operation on the running agent, as data, and what a definition says about it. plan/impact.ts explains
 * changes with it.
 */
import type { InputEffect } from "../schema/schema";
import type { CheckFailure } from "./rule";

/** What an impact may depend on. */
export interface PreviewContext<I, S> {
  /** The last applied inputs and the last known outputs. */
  previous: I & Partial<S>;
  /** The declared inputs, without unknown values. */
  inputs: Partial<I>;
  /** The current time of this machine. Milliseconds since the epoch. */
  now: number;
}

/** What a definition states about its impact on the running agent. `null` means there is none. */
export interface ImpactFacts<I, S> {
  /** The effect of a replacement: `restart` when the new object repeats the work of the old one, such as an export. */
  readonly replacement: "replace" | "restart";
  /** The data lost with the object, as previews word it: "its history". */
  readonly loses: string | null;
  /** Further consequences of a deletion, in a few words. */
  readonly onDelete: string | null;
  shortPath?(path: string): string;
  /** Returns further consequences of a new object. @param replacing In a replacement: the inputs that cause it. */
  onCreate?(context: PreviewContext<I, S>, replacing?: readonly string[]): string | undefined;
  /** Returns what the next update does when nothing differs but the last one failed or was interrupted. */
  onResume?(previous: Partial<S>): Resumption;
  /** Returns a warning when the change, or a create without paths, can only fail or harms something else. */
  warn?(paths: readonly string[], context: PreviewContext<I, S>): CheckFailure | undefined;
}

/** What the update of an unfinished object does. */
export interface Resumption {
  /** Any other than `none` is uncertain, since it depends on what the server has. */
  effect: InputEffect;
  note: string;
}

export const EFFECTS = [
  ...(["create", "takeOver", "replace", "restart", "newRevision"] as const),
  ...(["nextRevision", "newVersion", "inPlace", "none", "delete", "drop"] as const),
] as const;
export type Effect = (typeof EFFECTS)[number];

/** One effect and the changes that cause it. */
export interface Impact {
  effect: Effect;
  /** The inputs that change, in the short form of previews. */
  paths: readonly string[];
  /** False when it depends on a value that is not known yet. */
  certain: boolean;
  /** Old and new values of paths that a preview may show. Never secrets. */
  values?: readonly ChangedValue[];
  /** By path: why the change has this effect, the condition for it, or what it does in particular. */
  reasons?: Readonly<Record<string, string>>;
  /** The data that is lost, such as "its history". */
  loses?: string;
  /** Further consequences, in a few words. */
  note?: string;
}

/** A changed scalar that a preview may show. Never a secret. */
export interface ChangedValue {
  path: string;
  before: string;
  after: string;
}
