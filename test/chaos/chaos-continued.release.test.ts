/** The second half of the schedules of chaos.release.test.ts, in another process. */
import { testSeeds } from "./support/campaign";

testSeeds(51, 100);
