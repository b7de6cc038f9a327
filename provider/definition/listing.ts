/** How the objects of a kind are listed: for `adopt`, and for the method `List` of the native provider. */
import { z } from "zod";
import type { Clients } from "../api/clients";
import type { PropertyMap } from "../schema/schema";

export type Remote = PropertyMap & { id: string };

export interface Listing {
  /** What a list needs or is narrowed by. */
  readonly args: z.ZodObject;
  /** Groups of arguments of which exactly one is required. */
  readonly exactlyOne?: readonly (readonly string[])[];
  /** Yields all objects; kinds with one list share this, to read it once. @throws UserError if they cannot. */
  pages(args: PropertyMap, clients: Clients): AsyncIterable<readonly Remote[]>;
  isOfThisKind?(remote: Remote): boolean;
  /** Returns what identifies the object for a user, beside its title, such as "graph support". */
  detailsOf(remote: Remote): readonly string[];
}

/** The arguments of a list of everything in the workspace. */
export const noArgs = z.strictObject({});

/** The detail of an object with the ownership marker of a Pulumi resource. */
export const MANAGED = "managed by Pulumi";
