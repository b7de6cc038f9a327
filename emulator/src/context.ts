import type { Signals } from "./agent-server/signals";
import type { BucketRoom } from "./bucket/room";
import type { Clock } from "./clock";
import type { Faults } from "./faults";
import type { Jobs } from "./jobs";
import type { Journal } from "./journal";
import type { Settings } from "./options";
import type { Store } from "./store";
import type { Tarballs } from "./tarballs";
import type { Words } from "./validation/vocabulary";
import type { Vault } from "./vault";
import type { Work } from "./work";

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
