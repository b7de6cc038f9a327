/** Arguments and results of the verbs of a definition. */
import type { PropertyMap } from "../schema/schema";

/**
 * What a verb has learned of an object from its server. State stores what it returns; if it fails instead, what it last
 * recorded (`Context.record`).
 */
export interface Observation<I = PropertyMap, S = PropertyMap> {
  id: string;
  /** The inputs that count as applied: the next diff compares the program with them. */
  inputs: I;
  state: S;
  /** In a read: the inputs that the response itself shows, without what is assumed of those it omits. Default: all of `inputs`. */
  confirmed?: I;
  /** The ownership marker that was written or found. Default: as in state. */
  marker?: string | undefined;
  /** Whether its marker shows that another resource of this stack manages it, without naming that one. */
  isOfSibling?: boolean;
  /** Whether its marker shows that another stack manages it, without naming that one. */
  isOfOtherStack?: boolean;
  /** Whether it has a marker that the server does not show, so that another stack may manage it. */
  isMarkerHidden?: boolean;
  /** In a read: why no program may manage it, in a few words after its name; an import of it fails. */
  unmanageable?: string | undefined;
  /** Features that the server lacks and a later diff must know, since it sends no request. Default: as in state. */
  lacks?: readonly string[];
  /** Paths of inputs that the server accepts but does not return. Default: as in state. */
  notReturned?: readonly string[] | undefined;
  /** Present when the last change is not live yet, so that the next update continues without a difference; with what to warn of. */
  unready?: { warning?: string | undefined };
}

/**
 * Why a delete kept the remote object: the resource leaves the state, and the user is informed. A warning requires action;
 * an info describes normal behavior of the kind.
 */
export type RetainedResource = { warning: string } | { info: string };

export interface UpdateRequest<I, S> {
  inputs: I;
  previous: I;
  state: Partial<S>;
  /** The paths that differ. Empty when an earlier attempt is resumed. */
  paths: readonly string[];
  /** Whether the last run ended before everything was confirmed, so that the remote content is uncertain. */
  isUnfinished: boolean;
}

export interface ReplaceRequest<I, S> {
  /** The declared inputs of the new object, without unknown values. */
  desired: Partial<I>;
  /** The last applied inputs and the last known outputs of the old one. */
  previous: I & Partial<S>;
}
