/**
 * The schema language of requests and responses. One schema provides the validation (validator.ts), the TypeScript type
 * (Infer) and the JSON Schema in /openapi.json.
 */
export interface FieldOptions {
  /** Whether null is allowed. */
  nullable?: true;
  /** Whether an absent value is an error. */
  required?: true;
  /** The value of an absent field; listed in /openapi.json and applied by the validator. */
  default?: unknown;
  readOnly?: true;
  description?: string;
}

export interface StringSchema extends FieldOptions {
  type: "string";
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}
export interface NumberSchema extends FieldOptions {
  type: "integer" | "number";
  minimum?: number;
  maximum?: number;
  /** A maximum that does not apply to self-hosted installations (API `8.Self-hosted CPU and memory requests`). */
  ceiling?: number;
  multipleOf?: number;
}
export interface SimpleSchema extends FieldOptions {
  /** `free` is an object with any content, `any` is any value. */
  type: "boolean" | "uuid" | "datetime" | "free" | "any";
}
export interface EnumSchema extends FieldOptions {
  type: "enum";
  values: readonly string[];
}
export interface ListSchema extends FieldOptions {
  type: "list";
  items: Schema;
  maxItems?: number;
}
export interface MapSchema extends FieldOptions {
  type: "map";
  values: Schema;
}
export interface ObjectSchema extends FieldOptions {
  type: "object";
  title: string;
  fields: Fields;
}
export type Fields = Readonly<Record<string, Schema>>;
export type Schema = StringSchema | NumberSchema | SimpleSchema | EnumSchema | ListSchema | MapSchema | ObjectSchema;

/** The TypeScript type of a validated value. */
export type Infer<S> = S extends { nullable: true } ? InferValue<S> | null : InferValue<S>;

type InferValue<S> = S extends { type: "integer" | "number" }
  ? number
  : S extends { type: "boolean" }
    ? boolean
    : S extends { type: "enum"; values: readonly (infer V)[] }
      ? V
      : S extends { type: "list"; items: infer I }
        ? Infer<I>[]
        : S extends { type: "map"; values: infer V }
          ? Record<string, Infer<V>>
          : S extends { type: "free" }
            ? Record<string, unknown>
            : S extends { type: "any" }
              ? unknown
              : S extends { type: "object"; fields: infer F }
                ? InferFields<F>
                : string;

type PresentKeys<F> = { [K in keyof F]: F[K] extends { required: true } | { default: unknown } ? K : never }[keyof F];
/** The TypeScript type of an object with these fields. */
export type InferFields<F> = { [K in PresentKeys<F>]: Infer<F[K]> } & {
  [K in Exclude<keyof F, PresentKeys<F>>]?: Infer<F[K]>;
};

/** The TypeScript type of a value before validation: fields with a default are optional. */
export type Input<S> = S extends { nullable: true } ? InputValue<S> | null : InputValue<S>;

type InputValue<S> = S extends { type: "list"; items: infer I }
  ? Input<I>[]
  : S extends { type: "object"; fields: infer F }
    ? { [K in RequiredKeys<F>]: Input<F[K]> } & { [K in Exclude<keyof F, RequiredKeys<F>>]?: Input<F[K]> }
    : InferValue<S>;

type RequiredKeys<F> = { [K in keyof F]: F[K] extends { required: true } ? K : never }[keyof F];

export const string = <const O extends Omit<StringSchema, "type">>(options?: O) =>
  ({ type: "string", ...options }) as { type: "string" } & O;
export const integer = <const O extends Omit<NumberSchema, "type">>(options?: O) =>
  ({ type: "integer", ...options }) as { type: "integer" } & O;
export const number = <const O extends Omit<NumberSchema, "type">>(options?: O) =>
  ({ type: "number", ...options }) as { type: "number" } & O;
export const boolean = <const O extends FieldOptions>(options?: O) =>
  ({ type: "boolean", ...options }) as { type: "boolean" } & O;
export const uuid = <const O extends FieldOptions>(options?: O) =>
  ({ type: "uuid", ...options }) as { type: "uuid" } & O;
export const datetime = <const O extends FieldOptions>(options?: O) =>
  ({ type: "datetime", ...options }) as { type: "datetime" } & O;
export const anyObject = <const O extends FieldOptions>(options?: O) =>
  ({ type: "free", ...options }) as { type: "free" } & O;
export const any = () => ({ type: "any" }) as const;
export const enumOf = <const V extends readonly string[]>(values: V) => ({ type: "enum", values }) as const;
export const list = <const S extends Schema>(items: S, options?: Pick<ListSchema, "maxItems">) =>
  ({ type: "list", items, ...options }) as { type: "list"; items: S; maxItems?: number };
export const map = <const S extends Schema>(values: S) => ({ type: "map", values }) as const;
export const object = <const F extends Fields>(title: string, fields: F) =>
  ({ type: "object", title, fields }) as const;

export const nullable = <const S extends Schema>(schema: S) =>
  ({ ...schema, nullable: true }) as S & { nullable: true };
export const required = <const S extends Schema>(schema: S) =>
  ({ ...schema, required: true }) as S & { required: true };
export const withDefault = <const S extends Schema, const D>(schema: S, value: D) =>
  ({ ...schema, default: value }) as S & { default: D };
export const readOnly = <const S extends Schema>(schema: S) =>
  ({ ...schema, readOnly: true }) as S & { readOnly: true };
