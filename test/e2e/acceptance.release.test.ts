/** The acceptance suite on an emulator that has only the described routes, and on a platform that differs from it. */
import { AcceptanceRuns, differing, failed } from "./support/acceptance";

const runs = new AcceptanceRuns();

test("all stories pass with the native provider on an emulator that has only the described routes, and the report names what it lacks", async () => {
  const { code, report } = await runs.run("interface-only", ["--native", "--interface-only"]);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(differing(report)).toEqual(["10B.client-ids", "10B.search-ids", "10B.search-offset"]);
  const threads = report.stories.find(({ story }) => story === "threads");
  expect(threads?.skips.map(({ what }) => what)).toContain("metadata that changes in place");
});

test("deployments and threads live on a platform that differs from the emulator wherever the pages allow it", async () => {
  const image = (tag: string) => `registry.example.com/agent:${tag}`;
  const images = ["--image", image("1"), "--next-image", image("2"), "--broken-image", image("broken")];
  const options = ["--yes", "--only", "deployments,threads", "--graph", "agent", "--timeout", "2"];
  const { code, report } = await runs.run("other", [...options, ...images], runs.settings);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(runs.platform.names()).toEqual([]);
});
