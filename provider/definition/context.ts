/** What the methods of a definition work with: the clients, the settings, time, and the row of the resource. */
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
import type { Wait } from "./wait";

/** One is made for each call of the engine. */
export interface Context {
  readonly clients: ResourceClients;
  readonly settings: Settings;
  readonly clock: Clock;
  /** The present time of the kind's server, by its own Date header where it sent one. Milliseconds. */
  serverNow(): number;
  /** The time at which this run began, by the server's clock. Milliseconds. */
  runStartedAt(): number;
  readonly urn: string;
  /** The ownership marker that this resource leaves on what it creates: `<owner>/<URN>`. */
  readonly marker: string;
  /** The marker that state says was last written, or was there at an import; absent before the create. */
  readonly owner: string | undefined;
  /** IDs of what this run created of this type, where the definition notes them. */
  readonly createdInRun: Set<string>;
  /** Optional routes that the server was found to lack, as state remembers them. */
  readonly missingRoutes: readonly string[];
  /** Paths of inputs that the server was found not to return although it takes them, as state remembers them. */
  readonly notReturned: readonly string[] | undefined;
  readonly waitUntil: Wait;
  /** A wait with all of the operation's time again, for a rollback after a timeout. @param label Begins each line on the row. */
  newWait(label: string): Wait;
  readonly log: ResourceLog;
}

/** The servers' clients. */
export interface ResourceClients {
  /** @throws SettingsError when a setting that its requests need is missing; so do `revisions`, `directory` and `tracing`. */
  readonly controlPlane: ControlPlaneClient;
  readonly revisions: RevisionClient;
  readonly deploymentCache: DeploymentCache;
  readonly tracing: TracingClient;
  /** Undefined without the settings that the tracing API needs: what only adds to another kind can do without it. */
  readonly projectCache: ProjectCache | undefined;
  readonly agents: AgentServerRegistry;
  readonly sources: SourceClient;
  /** Asks an agent server for `/ok`, without a key: the error that it answered with, undefined when it is healthy. */
  checkAgentHealth(url: string): Promise<HttpError | undefined>;
  /** Puts content at a signed address. No key is sent. */
  upload(url: string, headers: Record<string, string>, content: Content): Promise<void>;
}

/** What a person reads of the operation. */
export interface ResourceLog {
  /** Shows a status on the resource's own row, replaced by the next one. */
  progress(text: string): void;
  /** Leaves a warning on the resource's row. */
  warn(text: string): void;
  /** From now on these values stand in no text about this resource. Those of its inputs and its state never do. */
  protect(values: Iterable<string>): void;
  /** Returns a text without such values. Everything that leaves is redacted anyway: this is for what is cut before. */
  redact(text: string): string;
  /** Leaves a line on the stack's row, for what no single resource is the cause of. */
  infoOnStack(text: string): void;
}
