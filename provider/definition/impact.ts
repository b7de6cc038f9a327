/** What a definition says about the impact of its operations on the running agent. plan/impact.ts explains changes with it. */
import type { InputEffect } from "../schema/schema";
import type { CheckFailure } from "./rules";

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
