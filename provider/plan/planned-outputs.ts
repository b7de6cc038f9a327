/** The outputs that an operation changes, as far as that is known before it. Pure. */
import type { Definition } from "../definition/definition";
import { type FieldMetadata, isSameBranch, metadataOf, type PropertyMap, shapeOf } from "../schema/schema";

/** Returns the outputs that an update of these inputs does not change. @param mayReplace Nor a replacement. */
export function stableOutputs(definition: Definition, paths: readonly string[], mayReplace = false): string[] {
  const isStable = ({ stable }: FieldMetadata) => stable !== undefined && !isAmong(paths, stable.except ?? []);
  const replaced = mayReplace ? replacedOutputs(definition, paths) : [];
  return outputsWith(definition, isStable).filter((key) => !replaced.includes(key));
}

/** Returns the outputs that a replacement because of these inputs certainly changes. */
const replacedOutputs = (definition: Definition, paths: readonly string[]): string[] =>
  outputsWith(definition, ({ outlives }) => outlives === undefined || isAmong(paths, outlives.except));

/** Whether one of the paths is, contains or is part of one of these inputs. */
const isAmong = (paths: readonly string[], inputs: readonly string[]): boolean =>
  inputs.some((input) => paths.some((path) => isSameBranch(path, input)));

/** Returns the outputs of which a test is true, and among them the ID of the object. */
export function outputsWith({ schema }: Definition, test: (metadata: FieldMetadata) => boolean): string[] {
  const { idProperty } = schema;
  const outputs = Object.entries(shapeOf(schema.outputs));
  return [
    ...outputs.filter(([, output]) => test(metadataOf(output))).map(([key]) => key),
    ...(idProperty !== undefined && !outputs.some(([key]) => key === idProperty) && test({ stable: {} })
      ? [idProperty]
      : []),
  ];
}

/** What a run does with an output of one of its resources, the worst last. */
const OUTPUT_CHANGES = ["kept", "possibly replaced", "replaced"] as const;
type OutputChange = (typeof OUTPUT_CHANGES)[number];

/** Returns what this run does with the resource whose output had this value; undefined when it is not known. */
export type OutputChangeOf = (value: unknown) => OutputChange | undefined;

/**
 * Tracks what a run does with resources whose outputs are inputs of others: the engine passes an unknown for all, and
 * the old value identifies the resource. See docs/internal/decisions.md.
 */
export class OutputChanges {
  private readonly byValue = new Map<unknown, OutputChange>();

  /** @param outputs The resource's outputs in state. @param paths The inputs that change. */
  note(definition: Definition, outputs: PropertyMap, paths: readonly string[], replaces: boolean | "possibly"): void {
    const mayReplace = replaces === "possibly";
    const changes: [OutputChange, string[]][] = [
      ["kept", replaces === true ? [] : stableOutputs(definition, paths, mayReplace)],
      [mayReplace ? "possibly replaced" : "replaced", replaces === false ? [] : replacedOutputs(definition, paths)],
    ];
    for (const [change, keys] of changes) for (const key of keys) this.noteValue(outputs[key], change);
  }

  private noteValue(value: unknown, change: OutputChange): void {
    const known = this.byValue.get(value);
    const isWorse = known === undefined || OUTPUT_CHANGES.indexOf(change) > OUTPUT_CHANGES.indexOf(known);
    if (typeof value === "string" && isWorse) this.byValue.set(value, change);
  }

  readonly get = (value: unknown): OutputChange | undefined => this.byValue.get(value);
}
