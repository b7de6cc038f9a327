/** A few random schedules, which `npm test` has time for; chaos.release.test.ts explains them and runs many. */
import { testSeeds } from "./support/campaign";

testSeeds(1, 1, 4);
