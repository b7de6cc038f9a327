/**
 * The impact of a change on the running agent, as data. plan/plan-change.ts computes it; plan/render.ts renders it as a line
 * of a preview and parses that line.
 */
import type { ChangedValue } from "./changed-values";

export const EFFECTS = [
  ...(["create", "takeOver", "replace", "restart", "newRevision"] as const),
  ...(["nextRevision", "inPlace", "none", "delete", "drop"] as const),
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
  /** By path: why the change has this effect, or the condition for it. */
  reasons?: Readonly<Record<string, string>>;
  /** The data that is lost, such as "its history". */
  loses?: string;
  /** Further consequences, in a few words. */
  note?: string;
}

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
  /** Returns the short form of a path. */
  shortPath?(path: string): string;
  /** Returns further consequences of a create. */
  onCreate?(inputs: Partial<I>, now: number): string | undefined;
  /** Returns further consequences of a replacement. @param paths The inputs that cause it. */
  onReplace?(paths: readonly string[], context: PreviewContext<I, S>): string | undefined;
  /** Returns what the next update does when nothing differs but the last one failed or was interrupted. */
  onResume?(previous: Partial<S>): Pick<Impact, "effect" | "certain" | "note">;
  /** Returns a warning when the change, or a create without paths, can only fail or harms something else. */
  warn?(paths: readonly string[], context: PreviewContext<I, S>): { path: string; reason: string } | undefined;
}

/** What this run does with the resource that an output belongs to. */
export type OutputChange = "replaced" | "kept";

/** Returns what this run does with the resource whose output had this value; undefined when it is not known. */
export type OutputChangeOf = (value: unknown) => OutputChange | undefined;
