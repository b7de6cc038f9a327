import type { BucketRoom } from "../bucket/service";
import type { Tarballs } from "../control-plane/sources/tarballs";
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

/** The rooms of one running emulator, as its handlers and jobs see them. */
export interface Context {
  settings: Settings;
  /** Where everything is kept: the folder of `--data`, else a temporary one. */
  folder: string;
  store: Store;
  tarballs: Tarballs;
  vault: Vault;
  buckets: BucketRoom;
  clock: Clock;
  jobs: Jobs;
  work: Work;
  faults: Faults;
  journal: Journal;
  words: Words;
  signals: Signals;
}
