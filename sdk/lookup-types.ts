/** What the types of look-ups are made of. */
import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./provider";

/** Options of a function. */
export interface LookupOptions {
  /** Settings to use instead of the stack's. */
  provider?: Provider;
  /** A resource, usually the component around the call: its Provider is used where `provider` is absent. */
  parent?: pulumi.Resource;
}

/** Options of the form of a function that returns an Output. */
export interface LookupOutputOptions extends LookupOptions {
  /** Resources that must exist before the server is asked. While a preview is still to create one, the result is unknown. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** Arguments of which each may be an Input. */
export type LookupInputs<T> = {
  [K in keyof T]: [T[K]] extends [readonly (infer E)[] | undefined]
    ? pulumi.Input<pulumi.Input<E>[] | Extract<T[K], undefined>>
    : pulumi.Input<T[K]>;
};

/** An answer whose fields are Outputs of their own: none is optional itself, though its value may be absent. */
export type Told<T, Held extends keyof T = never> = {
  [K in keyof Required<T>]: K extends Held ? NonNullable<T[K]> : T[K];
};

/** Arguments of which exactly one of these is given. */
export type OneOf<T, K extends keyof T> = Omit<T, K> &
  { [P in K]: { [Q in P]-?: Exclude<T[Q], undefined> } & { [Q in Exclude<K, P>]?: undefined } }[K];

/** What the forms of a look-up must know of it. */
export interface LookupFacts {
  /** The fields of an answer that are no secrets, where others are. */
  readonly open?: readonly string[];
  /** Whether it returns a list. */
  readonly list?: boolean;
}
