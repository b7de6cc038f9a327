import type { EventEmitter } from "node:events";
import type { Faults } from "./faults";
import type { Settings } from "./options";
import type { Journal } from "./request-log";
import type { Work } from "./scheduling/background-tasks";
import type { Clock } from "./scheduling/clock";
import type { Signals } from "./scheduling/notifier";
import type { Jobs } from "./scheduling/scheduler";
import type { Vault } from "./storage/secret-box";
import type { Store } from "./storage/store";
import type { Words } from "./validation/vocabulary";

/** Events that one feature emits for others, inside the emitter's transaction. */
interface Events {
  /** The ID of a deployment that was deleted permanently. */
  deploymentErased: [id: string];
}

/**
 * One running emulator, as request handlers and jobs see it. `storage/` holds the SQLite file and the files beside it,
 * `scheduling/` the clock and timed jobs, `validation/` the schema language, and `text/` helpers independent of the emulator.
 */
export interface Context {
  settings: Settings;
  /** The folder of `--data`, or a temporary one. */
  folder: string;
  store: Store;
  vault: Vault;
  clock: Clock;
  jobs: Jobs;
  work: Work;
  faults: Faults;
  journal: Journal;
  words: Words;
  signals: Signals;
  events: EventEmitter<Events>;
}
