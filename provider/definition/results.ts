/** What the methods of a definition take and return, and the errors that say what the server holds. */
import type { PropertyMap } from "../schema/schema";
import { UserError } from "../text/user-error";

/** What exists on the server after a create or an update. `ready` runs when the lifecycle already holds the id. */
export interface CreateResult<S> {
  id: string;
  state: S;
  /** The ownership marker that was written with it; absent when none was, or the old one stays. */
  marker?: string;
  /**
   * The inputs that the server is known to hold so far; all of them when absent. Without `ready`, or when it fails, state
   * holds these, so that the next run sends the rest.
   */
  confirmed?: PropertyMap;
  /** Optional routes that this server turned out not to have; state remembers them, since diff asks nobody. */
  missingRoutes?: readonly string[];
  /** Waits until it really works; returns the state at the end. Its failure never loses the id. */
  ready?: () => Promise<S>;
}

/** It failed, and this is what the server holds now: state keeps that in place of what was first answered. */
export class PartialStateError extends UserError {
  override name = "PartialStateError";
  constructor(
    message: string,
    readonly inputs: PropertyMap,
    readonly state: PropertyMap,
    readonly missingRoutes?: readonly string[],
  ) {
    super(message);
  }
}

/** What was sent failed, and what ran before was put back: state then holds the old content, so that the next run tries again. */
export class RolledBackError extends PartialStateError {
  override name = "RolledBackError";
}

/** An object that this resource created in an earlier run, which was interrupted. */
export interface ExistingResource {
  id: string;
  /** Why it is taken for ours. */
  because: string;
}

/** What the server holds, said in the terms of the inputs. */
export interface ReadResult<I, S> {
  inputs: I;
  state: S;
  /** Its ownership marker; absent when it has none, or the server does not show it. */
  marker?: string;
  /** Only what the response shows to be held; all of `inputs` when absent. */
  confirmed?: I;
  /** Whether the last change does not work yet, so that the next up continues even without a difference; as state says when absent. */
  unready?: boolean;
}

/**
 * Why a delete ended without deleting: the resource leaves the state, the object stays, and the user is told. A warning
 * asks for something to be done; a notice tells what is in the nature of the kind.
 */
export type RetainedResource = { warning: string } | { info: string };

export interface UpdateRequest<I, S> {
  /** What is wanted. */
  inputs: I;
  /** What was last sent, and what the server last answered. */
  previous: I & Partial<S>;
  /** The paths that differ between the two. Empty when an earlier attempt is resumed. */
  paths: readonly string[];
  /** Whether the last run ended before all that it sent was confirmed: then only the server knows what it holds. */
  unfinished: boolean;
}
