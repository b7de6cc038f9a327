import type { EventEmitter } from "node:events";
import type { Agents } from "./agents/agents";
import type { Faults } from "./faults";
import type { Settings } from "./options";
import type { RequestLog } from "./request-log";
import type { BackgroundTasks } from "./scheduling/background-tasks";
import type { Clock } from "./scheduling/clock";
import type { Notifier } from "./scheduling/notifier";
import type { Scheduler } from "./scheduling/scheduler";
import type { SecretBox } from "./storage/secret-box";
import type { Store } from "./storage/store";
import type { Vocabulary } from "./validation/vocabulary";

/** Events that one feature emits for others, inside the emitter's transaction. */
interface Events {
  /** The ID of a deployment whose agent server starts, because a revision became live. */
  revisionActivated: [deploymentId: string];
  /** The ID of a deployment that was deleted permanently. */
  deploymentDeleted: [id: string];
  /** Deployments or revisions changed, which may start or end agents. */
  rolloutsChanged: [];
}

/**
 * One running emulator, as request handlers and jobs see it. `storage/` holds the SQLite file and the files beside it,
 * `scheduling/` the clock and timed jobs, `validation/` the schema language, and `text/` helpers independent of the
 * emulator.
 */
export interface Context {
  settings: Settings;
  /** The folder of `--data`, or a temporary one. */
  folder: string;
  store: Store;
  secretBox: SecretBox;
  /** The key of the emulator's own buckets. A destination without a key uses it (API `2C.Destination.aws_role_arn`). */
  bucketKey: { accessKeyId: string; secretAccessKey: string };
  clock: Clock;
  scheduler: Scheduler;
  backgroundTasks: BackgroundTasks;
  faults: Faults;
  requestLog: RequestLog;
  vocabulary: Vocabulary;
  notifier: Notifier;
  /** The agents that run as processes: `--agents`. */
  agents: Agents;
  events: EventEmitter<Events>;
}
