/**
 * Tracks what a run does with resources whose outputs are inputs of others. The engine passes an unknown whether the
 * source resource is replaced or only updated; the old value identifies that resource. docs/design-decisions.md says what
 * cannot be distinguished.
 */
import { z } from "zod";
import type { Definition } from "../definition/definition";
import type { OutputChange } from "../definition/impact";
import type { PropertyMap } from "../schema/schema";

export class OutputChanges {
  private readonly byValue = new Map<unknown, OutputChange>();

  /**
   * @param outputs The resource's outputs in state.
   * @param paths The inputs that an update changes; undefined when the resource is replaced.
   */
  note({ schema }: Definition, outputs: PropertyMap, paths: readonly string[] | undefined): void {
    const keys = schema.outputs instanceof z.ZodObject ? Object.keys(schema.outputs.shape) : [];
    for (const key of keys) {
      const value = outputs[key];
      if (typeof value !== "string") continue;
      const isAffected = schema.follows?.[key]?.some((path) => paths?.includes(path)) ?? false;
      if (paths === undefined) this.byValue.set(value, "replaced");
      else if (!isAffected && !this.byValue.has(value)) this.byValue.set(value, "kept");
    }
  }

  readonly get = (value: unknown): OutputChange | undefined => this.byValue.get(value);
}
