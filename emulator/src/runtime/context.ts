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

/** What happens in one feature and concerns others, in the transaction of the one. */
interface Events {
  /** The ID of a deployment that is gone for good. */
  deploymentErased: [id: string];
}

/**
 * One running emulator, as its handlers and jobs see it. `storage/` is the SQLite file and what lies beside it, `scheduling/`
 * what happens by itself and when, `validation/` the schema language, and `text/` helpers that know nothing of the emulator.
 */
export interface Context {
  settings: Settings;
  /** Where everything is kept: the folder of `--data`, else a temporary one. */
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
