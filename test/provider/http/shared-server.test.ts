/** Several processes share a server and know nothing of each other. */
import { expectFairShare, simulate } from "../../support/shared-server";

it.each([
  { processes: 1, perSecond: 5 },
  { processes: 1, perSecond: 200 },
  { processes: 5, perSecond: 20 },
  { processes: 20, perSecond: 5 },
  { processes: 20, perSecond: 200 },
  { processes: 20, perSecond: 20, startWithin: 20_000 },
])(
  "$processes processes at a server of $perSecond requests a second use its rate, and none waits for others",
  async (scenario) => {
    for (const retryAfter of [undefined, 1000]) expectFairShare(await simulate({ ...scenario, retryAfter }));
  },
);

it("All obey a Retry-After that is longer than necessary, and still finish", async () => {
  expect(await simulate({ processes: 5, perSecond: 20, retryAfter: 5000 })).toMatchObject({ failed: 0, early: 0 });
});
