/** The outputs that an operation changes, as far as that is known before it. Pure. */
import type { Definition } from "../definition/definition";
import { type FieldMetadata, isSameBranch } from "../schema/schema";
import type { Facts, RequestFacts, ResourceData } from "./facts";

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
  const { outputFields, idProperty } = schema;
  const outputs = outputFields.filter((field) => !field.path.includes(".") && test(field)).map(({ path }) => path);
  const isInput = outputFields.every(({ path }) => path !== idProperty);
  return idProperty !== undefined && isInput && test({ stable: {} }) ? [...outputs, idProperty] : outputs;
}

/** What a run does with an output of one of its resources, the worst last. */
const OUTPUT_CHANGES = ["kept", "possibly replaced", "replaced"] as const;
type OutputChange = (typeof OUTPUT_CHANGES)[number];

/** Returns what this run does with the resource whose output an input had as its value; undefined if it may be any. */
export type OutputChangeOf = (value: unknown, input: string) => OutputChange | undefined;

/**
 * Tracks what a run does with resources whose outputs are inputs of others: the engine passes an unknown for all, and
 * the old value identifies the resource. See docs/internal/decisions.md.
 */
export class OutputChanges {
  private readonly byValue = new Map<unknown, { change: OutputChange; urn: string | undefined }>();

  /** @param state Of the resource. @param paths The inputs that change. */
  note(definition: Definition, state: ResourceData, paths: readonly string[], replaces: boolean | "possibly"): void {
    const mayReplace = replaces === "possibly";
    const changes: [OutputChange, string[]][] = [
      ["kept", replaces === true ? [] : stableOutputs(definition, paths, mayReplace)],
      [mayReplace ? "possibly replaced" : "replaced", replaces === false ? [] : replacedOutputs(definition, paths)],
    ];
    for (const [change, keys] of changes) for (const key of keys) this.noteValue(state, key, change);
  }

  private noteValue({ properties, facts: { urn } }: ResourceData, key: string, change: OutputChange): void {
    const [value, known] = [properties[key], this.get(properties[key])];
    const isWorse = known === undefined || OUTPUT_CHANGES.indexOf(change) > OUTPUT_CHANGES.indexOf(known);
    if (typeof value === "string" && isWorse) this.byValue.set(value, { change, urn });
  }

  readonly get = (value: unknown): OutputChange | undefined => this.byValue.get(value)?.change;

  /** Returns the same for a resource. @param sources By input, the resource that the unknown is an output of. */
  for({ provider }: Facts, sources: RequestFacts["sources"] = {}): OutputChangeOf {
    return (value, input) => {
      const { urn, change } = this.byValue.get(value) ?? {};
      // The native provider knows the outputs that stay: the unknown is another one.
      const isOther = (sources[input] ?? urn) !== urn || (change === "kept" && provider === undefined);
      return isOther ? undefined : change;
    };
  }
}
