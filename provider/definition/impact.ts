/**
 * What a change does to the live service, as data. plan/plan-change.ts finds it, plan/render.ts writes it as the line of a
 * preview and reads that line back.
 */
import type { ChangedValue } from "./changed-values";

export const EFFECTS = [
  ...(["create", "takeOver", "replace", "restart", "newRevision"] as const),
  ...(["nextRevision", "inPlace", "none", "delete", "drop"] as const),
] as const;
export type Effect = (typeof EFFECTS)[number];

/** One effect, with the changes that have it. */
export interface Impact {
  effect: Effect;
  /** The inputs that change, in the short form that a preview shows. */
  paths: readonly string[];
  /** False where it depends on a value that is not known yet. */
  certain: boolean;
  /** Old and new values of some of the paths, as far as a preview may show them. Never a secret. */
  values?: readonly ChangedValue[];
  /** By path: what makes the change have this effect, or what it depends on. */
  reasons?: Readonly<Record<string, string>>;
  /** What is lost, such as "its history". */
  loses?: string;
  /** What else follows, in a few words. */
  note?: string;
}

/** What a change of an input does where it does not replace the object. */
export type InputEffect = Extract<Effect, "newRevision" | "nextRevision" | "inPlace" | "none">;

/** What the impact of a change may depend on. */
export interface PreviewContext<I, S> {
  /** What was last sent, and what the server last returned. */
  previous: I & Partial<S>;
  /** What is declared. What is not known yet is absent. */
  inputs: Partial<I>;
  /** The present time, by this machine's clock. Milliseconds since the epoch. */
  now: number;
}

/** What a definition says of its impact on the live service. Every kind says all of it; null where there is nothing. */
export interface ImpactFacts<I, S> {
  /** What changed inputs do: the first prefix of a path that fits decides, and `""` fits every path. */
  readonly effects: readonly (readonly [prefix: string, effect: InputEffect])[];
  /** What a new object in place of the old one is: `restart` where it repeats the work of the old one, such as an export. */
  readonly replacement: "replace" | "restart";
  /** What is lost with the object, in the words of a preview: "its history". */
  readonly loses: string | null;
  /** What becomes of everything around the object when it is deleted, in a few words. */
  readonly onDelete: string | null;
  /** Inputs whose old and new values a preview shows. */
  readonly shows?: readonly string[];
  /** The short form of a path. */
  shortPath?(path: string): string;
  /** By path: when a value that is not known yet would replace the object, beginning with "if". */
  readonly unknowns?: Readonly<Record<string, string>>;
  /** What a create does at once, beside creating. */
  onCreate?(inputs: Partial<I>, now: number): string | undefined;
  /** What a replacement does, beside replacing. @param paths Those that cause it. */
  onReplace?(paths: readonly string[], context: PreviewContext<I, S>): string | undefined;
  /** What the next update does where nothing differs, and the last one failed or was interrupted. */
  onResume?(previous: Partial<S>): Pick<Impact, "effect" | "certain" | "note">;
  /** Why a change can only fail or do nothing, by what state holds. */
  warn?(paths: readonly string[], context: PreviewContext<I, S>): { path: string; reason: string } | undefined;
}

/** What became of the resource that an output belongs to, as far as this run knows. */
export type OutputChange = "replaced" | "kept";

/** Whether an old value of an input was an output of a resource of this run, and what becomes of that resource. */
export type OutputChangeOf = (value: unknown) => OutputChange | undefined;
