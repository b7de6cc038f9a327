/** Helper types of resource classes. */

/** The type of a field for a `source`; undefined if the source has no such field. */
export type Field<BySource, Source extends keyof BySource, Key extends PropertyKey> = Source extends keyof BySource
  ? Key extends keyof BySource[Source]
    ? BySource[Source][Key]
    : undefined
  : never;

/**
 * The arguments for a `source`. If `source` is missing or invalid, every field is accepted, so that the only compiler
 * error is the one about `source`.
 */
export type ArgsOf<BySource, Source extends keyof BySource> = [keyof BySource] extends [Source]
  ? { [Key in Exclude<KeyOf<BySource>, "source">]?: Field<BySource, keyof BySource, Key> }
  : BySource[Source];
type KeyOf<BySource> = { [Source in keyof BySource]: keyof BySource[Source] }[keyof BySource];

/** The type of an output that always exists for some values of inputs. */
export type Present<Type, Given extends readonly unknown[], Needed extends readonly unknown[]> = Given extends Needed
  ? Type
  : Type | undefined;

/** Properties of a kind of resource that its class needs. */
export interface ResourceMetadata {
  /** Names of the inputs. */
  readonly inputs: readonly string[];
  /** Paths of the fields of inputs that are objects without free keys. */
  readonly nestedInputs: readonly string[];
  /** Names of the outputs that are not inputs. */
  readonly outputs: readonly string[];
  /** Inputs that are secret as a whole. */
  readonly secrets: readonly string[];
  /** The input that defaults to the name of the resource. */
  readonly nameFrom?: string;
  /** The property that contains the ID of the object: as an input, it requests one. */
  readonly idProperty?: string;
  /** Inputs with the ID and the URL of its container, if its ID alone does not identify it. */
  readonly container?: { readonly id: string; readonly url: string };
}
