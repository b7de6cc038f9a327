/** What the types of look-ups are made of. */
import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./provider";

export interface LookupOptions {
  /** Settings to use instead of the stack's. */
  provider?: Provider;
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
}
