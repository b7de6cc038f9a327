/**
 * The acceptance suite against the emulator, with all routes and with few. The release layer runs it
 * against a server that differs.
 */

import {
  AcceptanceRuns,
  differing,
  failed,
  INTERFACE_ONLY,
  reasons,
  reported,
  UNSEEN,
  unseen,
} from "./support/acceptance";

const runs = new AcceptanceRuns();

/** The cheapest stories. acceptance.release.test.ts runs the others. */
const CHEAP = ["--only", "threads,statements"];

test("the stories of threads and facts pass on the emulator, and natively with only the described routes", async () => {
  const [whole, smallest] = await Promise.all([
    runs.run("emulator", CHEAP),
    runs.run("interface-only", ["--native", "--interface-only", ...CHEAP]),
  ]);
  for (const { code, report } of [whole, smallest]) {
    expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
    expect(report.stories.every(({ outcome }) => outcome === "passed")).toBe(true);
  }
  expect(differing(whole.report)).toEqual([]);
  // Only other stories see these.
  const elsewhere = ["10A.deleted", "10A.duration", "10C.path", "10C.quota"];
  expect(unseen(whole.report)).toEqual([...reasons(whole.report, false), ...UNSEEN, ...elsewhere].sort());
  expect(whole.output).not.toMatch(/key-[0-9a-f]{8}-|secret-[0-9a-f]{24}/);
  expect(differing(smallest.report)).toEqual(INTERFACE_ONLY);
  expect(reported(whole.report).differing).toEqual(expect.arrayContaining(["2A.Deployment.url", "4A.DELETE:force"]));
  expect(whole.output).toContain("DOES NOT HOLD: 2A.Deployment.url: ");
  expect(whole.output).toContain("reported by: cartography");
  const threads = smallest.report.stories.find(({ story }) => story === "threads");
  expect(threads?.skips.map(({ what }) => what)).toContain("metadata that changes in place");
});
