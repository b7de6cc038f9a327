/** The acceptance suite on an emulator that has only the described routes, and on a platform that differs from it. */
import { AcceptanceRuns, differing, failed, INTERFACE_ONLY } from "./support/acceptance";

/** The emulator has this listener in every workspace. */
const LISTENER = ["--listener", "22222222-2222-4222-8222-222222222222"];
const runs = new AcceptanceRuns();

test("all stories pass with the native provider on an emulator that has only the described routes, and the report names what it lacks", async () => {
  const { code, report } = await runs.run("interface-only", ["--native", "--interface-only", ...LISTENER]);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(differing(report)).toEqual(INTERFACE_ONLY);
});

test("deployments and threads live on a platform that differs from the emulator wherever the pages allow it", async () => {
  const image = (tag: string) => `registry.example.com/agent:${tag}`;
  const images = ["--image", image("1"), "--next-image", image("2"), "--broken-image", image("broken")];
  const options = ["--yes", "--only", "deployments,threads", "--graph", "agent", "--timeout", "2"];
  const { code, report } = await runs.run("other", [...options, ...images], runs.settings);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(runs.platform.names()).toEqual([]);
});
