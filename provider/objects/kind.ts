/**
 * A kind of object on an agent server: how it is named, requested and compared, and what is special about it. What is
 * true for all kinds is in the engine: create.ts decides what a create does, verbs.ts has the verbs.
 */
import type { z } from "zod";
import type { AgentServerClient } from "../api/agent-server/client";
import type { Pages } from "../api/pagination";
import type { Context, Observation, UpdateRequest } from "../definition/context";
import type { HttpError } from "../http/errors";
import type { PropertyMap } from "../schema/schema";
import { type MarkerKeys, markerKeys } from "./metadata/metadata";
import type { AgentEndpoint, EndpointInputs } from "./server/endpoint";

/** What messages call the objects of a kind, and where the server has them. */
export interface ObjectNames {
  /** Of the resource, such as `Thread`. */
  readonly kind: string;
  /** One of them, such as `thread`. */
  readonly noun: string;
  /** The path of all of them, such as `threads`. */
  readonly path: string;
  /** The metadata of their ownership marker. */
  readonly keys: MarkerKeys;
}

/** Returns the names of a kind, such as `Thread`. */
export function objectNames(kind: string): ObjectNames {
  const noun = kind.toLowerCase();
  return { kind, noun, path: `${noun}s`, keys: markerKeys(`pulumi_${noun}`) };
}

export interface OwnedInputs extends EndpointInputs {
  metadata?: PropertyMap | undefined;
  deleteForeignCrons?: boolean | undefined;
  extra?: PropertyMap | undefined;
}

export interface OwnedState extends PropertyMap {
  url: string;
  tenantId?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
}

/** An object as a server returns it. */
export interface RemoteObject {
  metadata?: PropertyMap | null | undefined;
  createdAt?: string | null | undefined;
}

/** One attempt to create or change an object. */
export interface Attempt<I = OwnedInputs> extends AgentEndpoint {
  desired: I;
  ctx: Context;
  /** The ID that is derived from the resource and its immutable inputs: the value of the ownership marker. */
  derivedId: string;
  /** The requested ID: the declared one, or the derived one. */
  id: string;
  /** The metadata of the ownership marker; empty when the setting `ownerMarker` is false. */
  tags: Record<string, string>;
  /** Unique to this attempt. */
  requestId: string;
}

/** What a search for the object of a resource found. */
export interface Found<R> {
  /** Those that this resource certainly created. */
  own: readonly R[];
  /** Those that are in the way: with the requested ID or with the marker, and not certainly ours. */
  foreign: readonly R[];
  /** Others of which nothing shows who created them, oldest first. */
  unproven: readonly R[];
}

/** Who assigns the ID of a new object. A client requests one, and then reading shows what became of the request. */
export type IdBy = "client" | "server";

/**
 * How much of what its create asked for an object has. `partial`: some, or the server deleted the rest since. `none`:
 * it is there, and nothing more. `unfit`: no update can make it what the program declares.
 */
export type Content = "unseen" | "whole" | "partial" | "none" | "unfit";

/** What `settle` has to know of the object. */
export interface Settlement<I, S> extends Partial<Omit<UpdateRequest<I, S>, "inputs">> {
  /** `new`: the request of this run created it. `earlier`: an earlier run did. `state`: it is the one in state. */
  origin: "new" | "earlier" | "state";
}

/** What of a kind decides whose an object is. */
export interface ObjectIdentity<R> extends ObjectNames {
  /** The input that requests an ID; absent where the server assigns it. */
  readonly idInput?: string;
  /** Whether a copy of an object has its marker: then the marker proves nothing without the ID of the object in it. */
  readonly isCopied?: boolean;
  idOf(remote: R): string;
  /** Why nobody may manage the object, as a predicate such as "is the default assistant"; undefined when one may. */
  forbidden?(remote: R): string | undefined;
}

export interface ObjectKind<
  I extends OwnedInputs = OwnedInputs,
  S extends OwnedState = OwnedState,
  R extends RemoteObject = RemoteObject,
> extends ObjectIdentity<R> {
  readonly inputs: z.ZodType<I>;
  readonly outputs: z.ZodType<S>;
  /** Returns the ID that is derived from the resource and its immutable inputs. */
  deriveId(desired: I, ctx: Context): string;
  /** Default: the client, where there is an input for it. */
  idBy?(attempt: Attempt<I>): Promise<IdBy>;
  /** Looks for objects that this resource created, before its request and after one whose response was lost. */
  find(attempt: Attempt<I>, search: { idBy: IdBy; isAfterRequest: boolean }): Promise<Found<R>>;
  /** Sends the create request once; undefined where the response contains no object. */
  send(attempt: Attempt<I>): Promise<R | undefined>;
  /** Whether the request of this attempt created an object that was absent before. Default: it has the marker. */
  isOfRequest?(remote: R, attempt: Attempt<I>, hasResponse: boolean): boolean;
  /** Whether a failed request may have created the object. Default: if its outcome is unknown, or it is 409. */
  mayRemain?(failure: HttpError, attempt: Attempt<I>): boolean | undefined;
  /** Returns the content of an object whose create no response confirmed. Default: whole. */
  inspect?(remote: R, attempt: Attempt<I>, isNew: boolean, failure?: HttpError): Promise<Content>;
  /** Deals with an object that lacks a part of its content. @throws UserError always. */
  giveUp?(remote: R, attempt: Attempt<I>, isNew: boolean, failure?: HttpError): Promise<never>;
  /** Returns the error about objects that are in the way; undefined for that about a requested ID. */
  refusal?(remotes: readonly R[], attempt: Attempt<I>): Error | undefined;
  /** Returns the error of a request that created nothing visible. @param failure Absent where the response had none. */
  explain(failure: HttpError | undefined, attempt: Attempt<I>, unproven: readonly R[]): Promise<Error>;
  /** What to add to the warning about an object that is resumed. */
  resumeNote?(content: Content, attempt: Attempt<I>): string;
  /** Makes an object what the program declares, with at most one request. What is new or uncertain is recorded. */
  settle(remote: R, attempt: Attempt<I>, settlement: Settlement<I, S>): Promise<Observation<I, S>>;
  /** Sends a PATCH. */
  update(id: string, change: PropertyMap, attempt: Attempt<I>): Promise<R>;
  /** Returns the inputs to compare with: what takes the place of those that are no longer declared is added. */
  toExpected?(previous: Partial<I>, desired: I): I;
  /** Returns the fields of a PATCH that makes an object what is expected, without the ownership marker. */
  toChange?(remote: R, expected: I): PropertyMap;
  /** Warns of what the next steps will not show, after a create. @param unproven What a search found besides. */
  review?(remote: R, attempt: Attempt<I>, unproven: readonly R[]): Promise<void>;

  /** Returns an object; undefined when it is gone. */
  read(id: string, endpoint: AgentEndpoint, ctx: Context): Promise<R | undefined>;
  /** How messages name one of several. Default: by its ID. */
  label?(remote: R): string;
  /** What several of them do to the user, after a list of them. */
  readonly alarm?: string;
  list(server: AgentServerClient, metadata?: PropertyMap): Pages<R>;
  /** Returns the objects with these metadata, as far as one request shows them. */
  search(metadata: Record<string, string>, attempt: Attempt<I>): Promise<readonly R[]>;
  remove(id: string, endpoint: AgentEndpoint): Promise<void>;
  toState(remote: Partial<R>, endpoint: AgentEndpoint | undefined, previous?: Partial<S>): S;
  toInputs(remote: R, declared: I): I;
  /** Returns everything that the server returns of an object except for the ownership marker. */
  toAllInputs(remote: R): I;
  /** Returns what else a read of an object in state shows, and warns of it. */
  observe?(remote: R, declared: I | undefined, seen: ReadContext<I, S>): Promise<Partial<Observation<I, S>>>;
  /** Fails if a deletion would destroy what belongs to others. @throws OwnershipError */
  beforeDelete?(remote: R, previous: I & Partial<S>, endpoint: AgentEndpoint, ctx: Context): Promise<void>;
  afterDelete?(id: string, attempt: Attempt<I>): Promise<void>;
  /** What to say of an object that a server cannot delete, or that was deleted. */
  readonly deletion: DeletionTexts;
  /** Fails if a new object would name what does not exist, such as a graph. @throws UserError */
  verifyNew?(
    desired: Partial<I>,
    endpoint: AgentEndpoint,
    ctx: Context,
    old: { id: string; url?: string | undefined },
  ): Promise<void>;
}

/** What surrounds a read. */
export interface ReadContext<I, S> {
  endpoint: AgentEndpoint;
  ctx: Context;
  previous: Partial<I & S>;
  /** Whether no run has managed the object yet. */
  isImported: boolean;
}

export interface DeletionTexts {
  /** After "It was removed from this stack's state only.": what may remain on a server that does not respond. */
  readonly unreachable: string;
  /** The same on a server that does not support deletion; absent where every server does. */
  readonly unsupported?: string;
  /** What to tell after a deletion. */
  readonly note?: string;
}
