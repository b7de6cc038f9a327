/** What the types of resource classes are made of. */

/** The type of a field, which depends on `source` and is undefined where a source lacks it. */
export type Field<BySource, Source extends keyof BySource, Key extends PropertyKey> = Source extends keyof BySource
  ? Key extends keyof BySource[Source]
    ? BySource[Source][Key]
    : undefined
  : never;

/**
 * The arguments of a source. Where it could be any, because `source` is missing or wrong, every field is accepted: the
 * compiler then complains of `source` alone.
 */
export type ArgsOf<BySource, Source extends keyof BySource> = [keyof BySource] extends [Source]
  ? { [Key in Exclude<KeyOf<BySource>, "source">]?: Field<BySource, keyof BySource, Key> }
  : BySource[Source];
type KeyOf<BySource> = { [Source in keyof BySource]: keyof BySource[Source] }[keyof BySource];

/** An output that always exists with certain values of inputs. */
export type Present<Type, Given extends readonly unknown[], Needed extends readonly unknown[]> = Given extends Needed
  ? Type
  : Type | undefined;
