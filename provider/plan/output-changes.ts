/**
 * What a run does with the resources whose outputs stand in inputs of others. The engine shows an unknown wherever a
 * value comes from a resource that changes, whether that one is replaced or only updated; the old value tells which
 * resource it was. What cannot be told apart stands in docs/design-decisions.md.
 */
import { z } from "zod";
import type { Definition } from "../definition/definition";
import type { OutputChange } from "../definition/impact";
import type { PropertyMap } from "../schema/schema";

export class OutputChanges {
  private readonly byValue = new Map<unknown, OutputChange>();

  /**
   * @param outputs What state holds of the resource.
   * @param paths The inputs that an update changes; undefined where the resource is replaced.
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
