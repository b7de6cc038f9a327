import type { Clock } from "./clock";
import type { Faults } from "./faults";
import type { Jobs } from "./jobs";
import type { Journal } from "./journal";
import type { Settings } from "./options";
import type { Store } from "./store";
import type { Tarballs } from "./tarballs";
import type { Words } from "./validation/vocabulary";

/** The rooms of one running emulator, as its handlers and jobs see them. */
export interface Context {
  settings: Settings;
  store: Store;
  tarballs: Tarballs;
  clock: Clock;
  jobs: Jobs;
  faults: Faults;
  journal: Journal;
  words: Words;
}
