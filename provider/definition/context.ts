/** What the verbs of a definition work with: clients, settings, time and the resource's log. */
import type { AgentServerRegistry } from "../api/agent-server/registry";
import type { ControlPlaneClient } from "../api/control-plane/client";
import type { DeploymentCache } from "../api/control-plane/deployment-cache";
import type { RevisionClient } from "../api/control-plane/revisions";
import type { SourceClient } from "../api/control-plane/sources";
import type { TracingClient } from "../api/tracing/client";
import type { ProjectCache } from "../api/tracing/project-cache";
import type { Content } from "../http/client";
import type { Clock } from "../http/clock";
import type { HttpError } from "../http/errors";
import type { Settings } from "../settings/settings";
import type { Observation } from "./results";
import type { RunScope } from "./run-scope";
import type { Wait } from "./wait";

/** Created for each call of the engine. */
export interface Context {
  readonly clients: ResourceClients;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Returns the current time of the kind's server, by its Date header. Milliseconds since the epoch. */
  serverNow(): number;
  /** Returns when this run began, by the server's clock. Milliseconds since the epoch. */
  runStartedAt(): number;
  /** What the resources of this run share. */
  readonly scope: RunScope;
  readonly urn: string;
  /** The ownership marker that this resource writes: `<owner>/<URN>`. */
  readonly marker: string;
  /** The ownership marker in state: last written, or found by an import. Absent before the create. */
  readonly owner: string | undefined;
  /** What to add to a message about an object that has this marker: empty when the marker names the organization. */
  readonly ownerHint: string;
  /** Whether this run has seen that the stack manages the object of this kind: true once the engine has asked about it. */
  isManaged(id: string): boolean;
  /** Optional routes that the server lacks, from state. */
  readonly missingRoutes: readonly string[];
  /** Paths of inputs that the server accepts but does not return, from state. */
  readonly notReturned: readonly string[] | undefined;
  /**
   * Notes that the resource takes an existing object, which no entry of state may delete in this run.
   * @throws OwnershipError when this cannot be ensured.
   */
  take(id: string, how: "resumed" | "imported"): void;
  /**
   * Notes what is known of the object that is created or updated, in place of what was noted before. From then on, a failure
   * keeps it in state with its ID, and the next `pulumi up` continues. Called before a wait, and when a failure changed it.
   */
  record(observation: Observation): void;
  readonly waitUntil: Wait;
  /** Returns a wait with a fresh timeout, for a rollback after a timeout. @param label Prefix of its status lines. */
  newWait(label: string): Wait;
  readonly log: ResourceLog;
}

/** The clients of the servers. */
export interface ResourceClients {
  /** @throws SettingsError when a setting that its requests need is missing; so do `revisions`, `directory` and `tracing`. */
  readonly controlPlane: ControlPlaneClient;
  readonly revisions: RevisionClient;
  readonly deploymentCache: DeploymentCache;
  readonly tracing: TracingClient;
  /** Undefined without the settings of the tracing API, since it only adds to another kind. */
  readonly projectCache: ProjectCache | undefined;
  readonly agentServers: AgentServerRegistry;
  readonly sources: SourceClient;
  /** Requests `/ok` of an agent server, without credentials. Returns the error, or undefined when it is healthy. */
  checkAgentHealth(url: string): Promise<HttpError | undefined>;
  /** Uploads content to a signed URL, without credentials. */
  upload(url: string, headers: Record<string, string>, content: Content): Promise<void>;
}

/** What users see of the operation. */
export interface ResourceLog {
  /** Shows a status on the resource's row; the next one replaces it. */
  progress(text: string): void;
  /** Adds a warning to the resource's row. */
  warn(text: string): void;
  /** Redacts these values in all output about this resource, as is done for the secrets in its inputs and state. */
  protect(values: Iterable<string>): void;
  /** Redacts a text. All output is redacted anyway; needed for what is truncated before. */
  redact(text: string): string;
  /** Adds a line to the stack's row, for what concerns no single resource. */
  infoOnStack(text: string): void;
}
