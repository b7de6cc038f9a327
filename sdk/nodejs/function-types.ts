/** Types of functions. */
import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./provider";

/** Options of a function. */
export interface LookupOptions {
  /** Settings to use instead of those of the stack. */
  provider?: Provider;
  /** A resource, usually a component, whose Provider is used if `provider` is absent. */
  parent?: pulumi.Resource;
}

/** Options of a function that returns an Output. */
export interface LookupOutputOptions extends LookupOptions {
  /** Resources that must exist before the request. In a preview that creates one of them, the result is unknown. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** Arguments, each of which may be an Input. */
export type LookupInputs<T> = {
  [K in keyof T]: [T[K]] extends [readonly (infer E)[] | undefined]
    ? pulumi.Input<pulumi.Input<E>[] | Extract<T[K], undefined>>
    : pulumi.Input<T[K]>;
};

/** A result whose fields are Outputs: no field is optional, although its value may be undefined. */
export type OutputFields<T, AlwaysPresent extends keyof T = never> = {
  [K in keyof Required<T>]: K extends AlwaysPresent ? NonNullable<T[K]> : T[K];
};

/** Arguments with exactly one of these keys. */
export type OneOf<T, K extends keyof T> = Omit<T, K> &
  { [P in K]: { [Q in P]-?: Exclude<T[Q], undefined> } & { [Q in Exclude<K, P>]?: undefined } }[K];

/** Properties of a function that its implementation needs. */
export interface FunctionMetadata {
  /** Fields that are not secret, if the result has secret fields. */
  readonly publicFields?: readonly string[];
  /** Whether it returns a list. */
  readonly isList?: boolean;
}
