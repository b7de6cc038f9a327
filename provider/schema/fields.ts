/** What the schema of a kind says about its inputs and outputs, by path. Pure. */
import { z } from "zod";
import {
  catchallOf,
  type FieldMetadata,
  matchesPath,
  metadataOf,
  type PropertyMap,
  unwrap,
  variantsOf,
} from "./schema";

export interface Field extends FieldMetadata {
  readonly path: string;
  readonly isMap: boolean;
}

/** The inputs and outputs of a kind. What a change of a field does is in its metadata. */
export interface ResourceSchema<I, S> {
  /** A strict object, or a discriminated union of strict objects. */
  readonly inputs: z.ZodType<I>;
  readonly outputs: z.ZodType<S>;
  /** The inputs at every depth, with what the schema says about each. */
  readonly fields: readonly Field[];
}
type InputFields = Pick<ResourceSchema<unknown, unknown>, "fields">;

/** Returns the fields of inputs; what variants say about the same path is merged. */
export function fieldsOf(inputs: z.ZodType): Field[] {
  const byPath = Map.groupBy(
    variantsOf(inputs).flatMap((variant) => fieldsIn(variant)),
    ({ path }) => path,
  );
  return [...byPath.values()].map((same) => Object.assign({}, ...same) as Field);
}

function fieldsIn(schema: z.ZodType, parent = ""): Field[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, field]) => {
    const path = parent === "" ? key : `${parent}.${key}`;
    return [{ ...metadataOf(field), path, isMap: isMap(unwrap(field)) }, ...fieldsIn(field, path)];
  });
}

export const isMap = (schema: z.ZodType) =>
  schema instanceof z.ZodRecord || (schema instanceof z.ZodObject && catchallOf(schema) !== undefined);

/** Returns the field that a path is in, or of the fields around it the innermost one, that says something. */
export function fieldAt({ fields }: InputFields, path: string, says: (field: Field) => unknown): Field | undefined {
  return fields.findLast((field) => matchesPath(path, field.path) && says(field));
}

/** Returns the paths of the fields that say something. */
export const pathsOf = ({ fields }: InputFields, says: (field: Field) => unknown): string[] =>
  fields.filter(says).map(({ path }) => path);

/** Returns the paths of values that are secret with these inputs; `*` matches every key of a map. */
export function secretPaths({ fields }: InputFields, inputs: PropertyMap): string[] {
  const isSecret = ({ secret }: Field) =>
    secret === true || (secret !== undefined && (inputs[secret] ?? false) !== false);
  return fields.filter(isSecret).map(patternOf);
}

/** The same for inputs of which nobody knows whether the program declares them sensitive. */
export const possibleSecretPaths = ({ fields }: InputFields): string[] =>
  fields.filter(({ secret }) => secret !== undefined).map(patternOf);

const patternOf = ({ path, isMap }: Field): string => (isMap ? `${path}.*` : path);

/** Returns the inputs that identify what contains the object; undefined where its ID is enough. */
export function containerOf({ fields }: InputFields): { id: string; url: string } | undefined {
  const [id, url] = (["id", "url"] as const).map((by) => fields.find(({ container }) => container === by)?.path);
  return id === undefined || url === undefined ? undefined : { id, url };
}

/** Returns the input that defaults to the name of the resource. */
export const nameInputOf = ({ fields }: InputFields): string | undefined =>
  fields.find(({ defaultsToName }) => defaultsToName)?.path;

/** Returns the property that always contains the ID of the object: an output, or the input that requests the ID. */
export function idPropertyOf({ fields, outputs }: Pick<ResourceSchema<unknown, unknown>, "fields" | "outputs">) {
  const { shape } = outputs as unknown as z.ZodObject;
  const isId = (key: string) => metadataOf(shape[key] as z.ZodType).defaultsToId;
  return fields.find(({ defaultsToId }) => defaultsToId)?.path ?? Object.keys(shape).find(isId);
}
