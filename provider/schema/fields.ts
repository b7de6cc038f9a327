/** What the schema of a kind says about its inputs and outputs, by path. Pure. */
import { z } from "zod";
import {
  catchallOf,
  type FieldMetadata,
  isSameBranch,
  matchesPath,
  metadataOf,
  type NamingInput,
  type PropertyMap,
  shapeOf,
  unwrap,
  variantsOf,
} from "./schema";

export interface Field extends FieldMetadata {
  readonly path: string;
  /** The path of its values: `*` matches every key of a map. */
  readonly pattern: string;
}

/** The inputs and outputs of a kind. What a change of a field does is in its metadata. */
export interface ResourceSchema<I, S> {
  /** A strict object, or a discriminated union of strict objects. */
  readonly inputs: z.ZodType<I>;
  readonly outputs: z.ZodType<S>;
  /** The inputs at every depth, with what the schema says about each. */
  readonly fields: readonly Field[];
  /** The input that defaults to the name of the resource. */
  readonly nameInput: string | undefined;
  /** The input that names the object in place of the resource. */
  readonly namingInput: NamingInput | undefined;
  /** The property that always contains the ID of the object: an output, or the input that requests the ID. */
  readonly idProperty: string | undefined;
  readonly outputFields: readonly Field[];
  /** The inputs that identify what contains the object; undefined where its ID is enough. */
  readonly container: { readonly id: string; readonly url: string } | undefined;
}
type InputFields = Pick<ResourceSchema<unknown, unknown>, "fields">;
type SecretFields = Pick<ResourceSchema<unknown, unknown>, "fields" | "outputFields">;

export function resourceSchema<I, S>(of: Pick<ResourceSchema<I, S>, "inputs" | "outputs">): ResourceSchema<I, S> {
  const fields = fieldsOf(of.inputs);
  const outputFields = fieldsIn(of.outputs);
  const [id, url] = (["id", "url"] as const).map((by) => fields.find(({ container }) => container === by)?.path);
  const named = fields.find(({ defaultsToName }) => defaultsToName);
  return {
    ...{ ...of, fields, outputFields },
    nameInput: named?.path,
    namingInput: typeof named?.defaultsToName === "object" ? named.defaultsToName : undefined,
    idProperty: [...fields, ...outputFields].find(({ defaultsToId }) => defaultsToId)?.path,
    container: id === undefined || url === undefined ? undefined : { id, url },
  };
}

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
  return Object.entries(shapeOf(inner)).flatMap(([key, field]) => {
    const path = parent === "" ? key : `${parent}.${key}`;
    const own = { ...metadataOf(field), path, pattern: isMap(unwrap(field)) ? `${path}.*` : path };
    return [own, ...fieldsIn(field, path)];
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

/**
 * Returns the paths of values that are secret with these inputs; `*` matches every key of a map.
 * @param inputs Undefined before the program is checked, which may declare them sensitive.
 * @param marked What the program marks secret: only what contains it is added.
 */
export function secretPaths(schema: SecretFields, inputs?: PropertyMap, marked: readonly string[] = []): string[] {
  const isOn = (input: string) => inputs === undefined || (inputs[input] ?? false) !== false;
  const isSecret = ({ secret }: Field) => secret === true || (secret !== undefined && isOn(secret));
  const secrets = [...schema.fields, ...schema.outputFields].filter(isSecret).map(({ pattern }) => pattern);
  return [...secrets, ...pathsContaining(schema, [...secrets, ...marked])];
}

export const pathsContaining = ({ fields, outputFields }: SecretFields, paths: readonly string[]): string[] =>
  pathsOf({ fields: [...fields, ...outputFields] }, ({ contains = [] }) =>
    contains.some((input) => paths.some((path) => isSameBranch(input, path))),
  );
