/** Arguments, results and errors of the verbs of a definition. */
import type { PropertyMap } from "../schema/schema";
import { UserError } from "../text/user-error";

/** The result of a create or an update. `ready` runs after the lifecycle has recorded the ID. */
export interface CreateResult<S> {
  id: string;
  state: S;
  /** The ownership marker that was written; absent when the previous one, if any, stays. */
  marker?: string;
  /**
   * The inputs that are confirmed to be applied. Default: all. Without `ready`, or when it fails, state records only
   * these, so that the next run sends the rest.
   */
  confirmed?: PropertyMap;
  /** Optional routes that the server lacks; recorded in state, since diff sends no request. */
  missingRoutes?: readonly string[];
  /** Whether an imported object is not live yet, so that the next update continues without a difference. */
  unready?: boolean;
  /** Waits until the object works. A failure never loses the ID. */
  ready?: () => Promise<ReadyResult<S>>;
}

export interface ReadyResult<S> {
  state: S;
  /** Paths of inputs that the server accepts but does not return. Default: as in state. */
  notReturned?: readonly string[] | undefined;
}

/** A failure after which the server has this content; state records it in place of the first response. */
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

/** A failed update that was rolled back: state records the old content, so that the next run tries again. */
export class RolledBackError extends PartialStateError {
  override name = "RolledBackError";
}

/** An object that an interrupted run of this resource created. */
export interface ExistingResource {
  id: string;
  /** Why it is attributed to this resource. */
  because: string;
}

/** The remote object in terms of inputs and outputs. */
export interface ReadResult<I, S> {
  inputs: I;
  state: S;
  /** Its ownership marker; absent when it has none or the server does not return it. */
  marker?: string;
  /** Whether its marker shows that another resource of this stack manages it, without naming that one. */
  isOfSibling?: boolean;
  /** The inputs that the response confirms. Default: all of `inputs`. */
  confirmed?: I;
  /**
   * Present when the last change is not live yet, so that the next update continues without a difference; with what to warn
   * of. Default: as in state.
   */
  unready?: { warning?: string | undefined };
  /** Paths of inputs that the server accepts but does not return. Default: as in state. */
  notReturned?: readonly string[] | undefined;
}

/**
 * Why a delete kept the remote object: the resource leaves the state, and the user is informed. A warning requires action;
 * an info describes normal behavior of the kind.
 */
export type RetainedResource = { warning: string } | { info: string };

export interface UpdateRequest<I, S> {
  /** The declared inputs. */
  inputs: I;
  /** The last applied inputs and the last known outputs. */
  previous: I & Partial<S>;
  /** The paths that differ. Empty when an earlier attempt is resumed. */
  paths: readonly string[];
  /** Whether the last run ended before everything was confirmed, so that the remote content is uncertain. */
  isUnfinished: boolean;
}
