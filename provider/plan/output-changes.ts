/**
 * Tracks what a run does with resources whose outputs are inputs of others. The engine passes an unknown whether the
 * source resource is replaced or only updated; the old value identifies that resource. docs/internal/decisions.md says what
 * cannot be distinguished.
 */
import type { Definition } from "../definition/definition";
import type { PropertyMap } from "../schema/schema";
import { replacedOutputs, stableOutputs } from "./planned-outputs";

/** What this run does with the resource that an output belongs to. */
type OutputChange = "replaced" | "kept";

/** Returns what this run does with the resource whose output had this value; undefined when it is not known. */
export type OutputChangeOf = (value: unknown) => OutputChange | undefined;

export class OutputChanges {
  private readonly byValue = new Map<unknown, OutputChange>();

  /**
   * @param outputs The resource's outputs in state.
   * @param paths The inputs that change.
   */
  note(definition: Definition, outputs: PropertyMap, paths: readonly string[], isReplaced: boolean): void {
    const keys = isReplaced ? replacedOutputs(definition, paths) : stableOutputs(definition, paths);
    for (const key of keys) {
      const value = outputs[key];
      if (typeof value !== "string") continue;
      if (isReplaced) this.byValue.set(value, "replaced");
      else if (!this.byValue.has(value)) this.byValue.set(value, "kept");
    }
  }

  readonly get = (value: unknown): OutputChange | undefined => this.byValue.get(value);
}
