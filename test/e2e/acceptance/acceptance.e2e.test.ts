/**
 * The facts of the acceptance suite against the emulator with all routes. The release layer also runs its stories, and
 * both with few routes and against a server that differs.
 */
import { AcceptanceRuns, differing, failed, reasons, reported, UNSEEN, unseen } from "./acceptance-runs";

const runs = new AcceptanceRuns();

test("all facts that need no engine hold on the emulator", async () => {
  const { code, output, report } = await runs.run("emulator", ["--only", "statements"]);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(report.stories.every(({ outcome }) => outcome === "passed")).toBe(true);
  expect(differing(report)).toEqual([]);
  // Only other stories see these.
  const elsewhere = ["10A.deleted", "10A.duration", "10C.path", "10C.quota"];
  expect(unseen(report)).toEqual([...reasons(report, false), ...UNSEEN, ...elsewhere].sort());
  expect(output).not.toMatch(/key-[0-9a-f]{8}-|secret-[0-9a-f]{24}/);
  expect(reported(report).differing).toEqual(expect.arrayContaining(["2A.Deployment.url", "4A.DELETE:force"]));
  expect(output).toContain("DOES NOT HOLD: 2A.Deployment.url: ");
  expect(output).toContain("reported by: cartography");
});
