/** What the verbs of a definition work with, their arguments and their results. */
import type { Clients } from "../api/clients";
import type { ServerProfile } from "../api/profile/features";
import type { Clock } from "../http/clock";
import type { PropertyMap } from "../schema/schema";
import type { Settings } from "../settings/settings";
import type { Trace } from "../telemetry/trace";
import type { MovesOfRun } from "./moves";
import type { Wait } from "./wait";

export interface Context {
  /** Each is created at its first use. @throws SettingsError when a setting that its requests need is missing. */
  readonly clients: Omit<Clients, "http" | "serverNow" | "clockSkewMs">;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Returns the current time of the kind's server, by its Date header. Milliseconds since the epoch. */
  serverNow(): number;
  /** Returns when this run began, by the server's clock. Milliseconds since the epoch. */
  runStartedAt(): number;
  readonly scope: RunScope;
  readonly urn: string;
  /** The ownership marker that this resource writes: `<owner>/<URN>`. */
  readonly marker: string;
  /** What to add to a message about an object that has this marker: empty when the marker names the organization. */
  readonly ownerHint: string;
  /** Whether this run has seen that the stack manages the object of this kind: once the engine has asked about it. */
  isManaged(id: string): boolean;
  /** What state contains of earlier observations of the object; nothing before the create. */
  readonly recorded: RecordedObservation;
  /** Notes an existing object that no entry of state may delete in this run. @throws OwnershipError if one may. */
  noteExisting(id: string, how: "resumed" | "imported"): void;
  /**
   * Notes what is known of the object in place of what was noted before, also before a wait. From then on, a failure
   * keeps it in state with its ID, and the next `pulumi up` continues.
   */
  record(observation: Observation): void;
  readonly moves: MovesOfRun;
  readonly waitUntil: Wait;
  readonly log: ResourceLog;
  /** Records the steps of the operation, for users who trace a run. */
  readonly trace: Pick<Trace, "span" | "start" | "event" | "describe">;
}

/** The marker is the last one that was written, or that an import found. */
export type RecordedObservation = Pick<Observation, "marker" | "notReturned" | "chosen"> & {
  /** What state knows of the server. */
  profile: ServerProfile;
  /** Paths of the inputs that the program marks secret. */
  secretInputs?: readonly string[] | undefined;
  /** In an update: the marker of the URN in state, which differs after the stack or the resource was renamed. */
  earlierMarker?: string | undefined;
};

export interface ResourceLog {
  /** Shows a status on the resource's row; the next one replaces it. */
  progress(text: string): void;
  warn(text: string): void;
  /** Redacts these values in all output about this resource, as is done for the secrets in its inputs and state. */
  protect(values: Iterable<string>): void;
  /** Redacts a text. All output is redacted anyway; needed for what is truncated before. */
  redact(text: string): string;
  /** Adds a line to the stack's row, for what concerns no single resource. */
  infoOnStack(text: string): void;
}

/** What the resources of one run of the engine share. Modules keep no state: the plugin may serve several runs. */
export class RunScope {
  private readonly instances = new Map<new () => object, object & { close?(): Promise<void> }>();

  /** Returns the one instance of a class in this run, which the first call creates. */
  get<T extends object>(type: new () => T): T {
    const instance = this.instances.get(type) ?? new type();
    this.instances.set(type, instance);
    return instance as T;
  }

  async close(): Promise<void> {
    await Promise.all([...this.instances.values()].map((instance) => instance.close?.()));
  }
}

/** What a verb has learned of an object. State stores its result; after a failure what it last recorded. */
export interface Observation<I = PropertyMap, S = PropertyMap> {
  id: string;
  /** The inputs that count as applied: the next diff compares the program with them. */
  inputs: I;
  state: S;
  /** In a read: the inputs that the response shows, without what is assumed of others. Default: all of `inputs`. */
  confirmed?: I;
  /** The ownership marker that was written or found. Default: as in state. */
  marker?: string | undefined;
  /** Whether its marker shows that another resource of this stack manages it, without naming that one. */
  isOfSibling?: boolean;
  /** Whether its marker shows that another stack manages it, without naming that one. */
  isOfOtherStack?: boolean;
  /** Whether it has a marker that the server does not show, so that another stack may manage it. */
  isMarkerHidden?: boolean;
  /** In a read: what the response omits, and what that means for a program that declares it. */
  omission?: string | undefined;
  /** In a read: why no program may manage it, in a few words after its name; an import of it fails. */
  unmanageable?: string | undefined;
  /** Features that the server lacks and a later diff must know, since it sends no request. Default: as in state. */
  lacks?: readonly string[];
  /** Paths of inputs that the server accepts but does not return. Default: as in state. */
  notReturned?: readonly string[] | undefined;
  /** By path, the numbers that the server chose in place of what was sent, or beside it. Default: as in state. */
  chosen?: Readonly<Record<string, number>> | undefined;
  /** Present while the last change is not live, so that the next update continues; with what to warn of. */
  unready?: { warning?: string | undefined };
}

/** Why a delete kept the remote object. A warning requires action; an info describes what is normal for the kind. */
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
