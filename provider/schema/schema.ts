/** Metadata of schemas beyond validation, variants of discriminated unions, and access by path. */
import { z } from "zod";

/** Inputs or outputs of a resource as plain data. Definitions narrow it to their own types. */
export type PropertyMap = Record<string, unknown>;

/**
 * What a field is beyond its type: how it is compared and sent, what a change of it does, and what previews show of it.
 * What is said of an object also holds for its fields, unless they say otherwise.
 */
export interface FieldMetadata {
  /** The name of the exported TypeScript interface of this object. */
  interface?: string;
  /** What this object is: the doc comment of its interface. */
  description?: string;
  /** Of an object with keys of users: the type parameter by which a TypeScript program can say which they are. */
  typeParameter?: string;
  /** How two values are compared, by meaning. Default: by value, or in any case where there are `knownValues`. */
  compare?:
    | ("assistant" | "caseless" | "cpu" | "given" | "givenCaseless" | "givenUuid" | "instant" | "never")
    | ("prefix" | "repository" | "schedule" | "set" | "url" | "uuid");
  /** The value that an absent input is compared as, where the server has that default; of an output, its value. */
  absentMeans?: string | number | boolean;
  /**
   * How the declared value is merged with the server's. `keys`: others add keys; a removed one becomes null. `whole`:
   * other keys are a difference. Default: only declared fields are compared.
   */
  merge?: "keys" | "whole";
  /** Set if the server's value also counts where the program declares none. */
  comparedIfAbsent?: true;
  /** Where the objects of the API have it, such as `sourceConfig.customUrl`. Default: under its own name. */
  wireName?: string;
  /** What to use instead, and the version that removes it: "Use `imageUri` instead. Version 0.4 removes it." */
  deprecated?: string;
  /** How check computes this input, which is read-only for users; check adds nothing else to the program's inputs. */
  computed?: Computation;
  /** Set for a secret; of a map, its values are. The name of a boolean input: secret while that is true or unknown. */
  secret?: true | string;
  /** The inputs that are parts of this value, so that it is secret where one of them is. */
  contains?: readonly string[];
  /** Of a map: the other one that the server keeps in the same list, so that a name moves without being changed. */
  sharesNamesWith?: string;
  /** Set if the server never returns it: whether an import sends it, or assumes it since sending it has an effect. */
  writeOnly?: "sent" | "assumed";
  /** Set if no update can change it, so that a change replaces the object. */
  replaces?: true;
  /** Set if an update can change it but not remove it, so that a removal replaces the object. */
  replacesIfRemoved?: true;
  /** What a change does that does not replace the object. Default: "inPlace". */
  effect?: InputEffect;
  /** What is otherwise on servers that have a feature (api/profile/features.ts), such as what a change does. */
  where?: {
    readonly feature: string;
    readonly change: { replaces?: undefined; effect?: InputEffect; isReserved?: true };
  };
  /** Set if the server keeps the value of a deleted object for some time, so that a replacement needs another one. */
  isReserved?: true;
  /** What a change does beyond its effect, in a few words, by the new value as text. An absent one is `absentMeans`. */
  valueEffects?: Readonly<Record<string, string>>;
  /** Whether previews show the old and the new value. */
  shown?: true;
  /** The output of another resource that this input usually contains. */
  reference?: Reference;
  /** Set for an input that identifies what contains the object, by ID or URL: then an ID alone is not enough. */
  container?: "id" | "url";
  /** Set for the input that defaults to the name of the resource, unless another input names the object. */
  defaultsToName?: true | NamingInput;
  /** Set for the property that contains the ID of the object: as an input, it requests one. */
  defaultsToId?: true;
  /** Inputs of other kinds that users expect in this object, with the message that points to the right one. */
  foreignFields?: Readonly<Record<string, string>>;
  /** Set for an output that no update changes, except of these inputs: previews keep it known. */
  stable?: { readonly except?: readonly string[] };
  /** Marks an output that may outlive the object: only a replacement that changes one of these inputs changes it. */
  outlives?: { readonly except: readonly string[] };
  /** The value that the absence of this input is equivalent to. */
  meaningWhenAbsent?: string;
  /** Marks an optional output that always exists when these inputs have one of these values. */
  presentWith?: Readonly<Record<string, readonly string[]>>;
  /** Set for fields of a server that we do not type (schema/extra.ts): the server decides what a change does. */
  open?: true;
  /** Sends the keys of this object unchanged instead of in snake case. */
  keepCase?: boolean;
  /** The name of an open enum: usually one of its known values (api/known-values.ts), but any string is possible. */
  knownValues?: string;
  /** A string whose neutral terms the `vocabulary` setting replaces with the vendor's. */
  vocabularyTerm?: boolean;
}
export const fieldMetadata = z.registry<FieldMetadata>();

/** What a changed input does to the running agent if it does not replace the object. */
export type InputEffect = "newRevision" | "nextRevision" | "newVersion" | "verification" | "inPlace" | "none";

/** An input that names the object in place of the resource. */
export interface NamingInput {
  readonly input: string;
  /** Returns the name; undefined when the value is not valid. */
  nameOf(value: unknown): string | undefined;
}

/** How an input is computed from another one; previews show and compare it in place of that one. */
export interface Computation {
  readonly from: string;
  /** @param scope What a run's resources share (definition/context.ts). @throws UserError for an unusable source. */
  compute(value: unknown, scope: unknown): Promise<unknown>;
}

/** An output of another kind of resource. An unknown ID means a new resource; other outputs may keep their value. */
export interface Reference {
  readonly kind: string;
  readonly output: string;
  /** Why replacing that resource replaces this one. */
  readonly reason: string;
  /** The condition under which an unknown value replaces the object, beginning with "if". */
  readonly condition?: string;
}

/** Returns what a schema and the schemas that it wraps say about a field. */
export const metadataOf = (schema: z.ZodType): FieldMetadata =>
  ({ ...fieldMetadata.get(unwrap(schema)), ...fieldMetadata.get(schema) }) as FieldMetadata;

/** Returns the input that decides which variant of the inputs applies, if there are several. */
export const discriminatorOf = (schema: z.ZodType): string | undefined =>
  (schema.def as { discriminator?: string }).discriminator;

/** Returns the variants of a definition's inputs: one strict object, or the members of a discriminated union. */
export function variantsOf(schema: z.ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options as unknown as z.ZodObject[];
  throw new Error("Inputs are a strict object, or a discriminated union of them.");
}

/** Returns the variant of inputs that a value belongs to; undefined when its discriminator is not a known one. */
export function variantFor({ inputs }: { readonly inputs: z.ZodType }, value: PropertyMap): z.ZodObject | undefined {
  const key = discriminatorOf(inputs);
  const variants = variantsOf(inputs);
  if (!key) return variants[0];
  return variants.find((variant) => (variant.shape[key] as z.ZodLiteral).value === value[key]);
}

/** `instanceof` is slow for schemas: the reads of a fleet ask a hundred thousand times. */
const WRAPPERS: ReadonlySet<string> = new Set(["optional", "nullable", "default"]);

/** Returns the schema inside `optional`, `nullable` and `default`. */
export function unwrap(schema: z.ZodType): z.ZodType {
  return WRAPPERS.has(schema.def.type) ? unwrap((schema as z.ZodOptional<z.ZodType>).unwrap()) : schema;
}

export const shapeOf = (schema: z.ZodType) => (unwrap(schema) as z.ZodObject).shape as Record<string, z.ZodType>;

/** A path such as `sourceConfig.listenerId`, or the list of its keys when a key may contain a dot. */
export type Path = string | readonly PropertyKey[];
const keysOf = (path: Path) => (typeof path === "string" ? (path === "" ? [] : path.split(".")) : path.map(String));

/** Returns the schema at a path such as `sourceConfig.listenerId` or `secrets.*`. */
export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const key of keysOf(path)) at = childOf(at, key);
  return at;
}

/** Returns the fields of the object at a path that a program declares; empty when there is no object. */
export function fieldsAt(schema: z.ZodType, path: Path): string[] {
  const at = schemaAt(schema, path);
  const object = at && unwrap(at);
  if (!(object instanceof z.ZodObject)) return [];
  return Object.entries(object.shape).flatMap(([key, field]) => (metadataOf(field as z.ZodType).computed ? [] : [key]));
}

export function childOf(schema: z.ZodType | undefined, key: string): z.ZodType | undefined {
  const inner = schema && unwrap(schema);
  if (inner instanceof z.ZodObject) return (getOwn(inner.shape, key) as z.ZodType | undefined) ?? catchallOf(inner);
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
  return inner && fieldMetadata.get(inner)?.open ? inner : undefined;
}

/** Returns the schema of additional keys of an object; undefined when additional keys are not allowed. */
export function catchallOf(schema: z.ZodObject): z.ZodType | undefined {
  const rest = schema.def.catchall as z.ZodType | undefined;
  return rest instanceof z.ZodNever ? undefined : rest;
}

/** Returns an own property only: a key may be any string, and `toString` exists on every object. */
export const getOwn = <T>(properties: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : undefined;

/** Returns the value at a path; undefined when any part of the path is missing. */
export function valueAt(value: unknown, path: Path): unknown {
  return keysOf(path).reduce((at, key) => (isObjectOrArray(at) ? getOwn(at, key) : undefined), value);
}

export function someAncestor(value: unknown, path: Path, test: (value: unknown) => boolean): boolean {
  const keys = keysOf(path);
  return keys.some((_, index) => test(valueAt(value, keys.slice(0, index + 1))));
}

export const isObjectOrArray = (value: unknown): value is PropertyMap => typeof value === "object" && value !== null;

export const isPropertyMap = (value: unknown): value is PropertyMap => isObjectOrArray(value) && !Array.isArray(value);

/** Whether one path equals the other or is below it; `*` matches any one key. */
export const isSameBranch = (left: Path, right: Path): boolean => matchesPath(left, right) || matchesPath(right, left);

/** Whether `path` equals `pattern` or is below it; `*` in the pattern matches any one key. */
export function matchesPath(path: Path, pattern: Path): boolean {
  const keys = keysOf(path);
  return keysOf(pattern).every((part, index) => part === "*" || part === keys[index]);
}

/** Returns the keys of a path. Where keys contain dots, the longest key that one of the values has wins. */
export function splitPath(path: string, ...values: readonly unknown[]): string[] {
  if (path === "") return [];
  const objects = values.filter(isObjectOrArray);
  const isKey = (name: string) => objects.some((object) => Object.prototype.propertyIsEnumerable.call(object, name));
  const key = prefixes(path).find(isKey) ?? (path.split(".", 1)[0] as string);
  const children = objects.map((value) => getOwn(value, key));
  return [key, ...splitPath(path.slice(key.length + 1), ...children)];
}

function prefixes(path: string): string[] {
  const parts = path.split(".");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
}

export const optionalText = (description: string) => z.string().optional().describe(description);
export const optionalFlag = (description: string) => z.boolean().optional().describe(description);

export const optionalName = (description: string) => z.string().min(1).optional().describe(description);
