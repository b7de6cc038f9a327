/** The acceptance suite on an emulator that has only the described routes, and on a platform that differs from it. */
import { startPublished } from "../../support/agent-servers/published";
import {
  AcceptanceRuns,
  differing,
  failed,
  INTERFACE_ONLY,
  NOT_TODAY,
  reasons,
  reported,
  UNSEEN,
  unseen,
} from "./acceptance-runs";

/** The emulator has this listener in every workspace. */
const LISTENER = ["--listener", "22222222-2222-4222-8222-222222222222"];
const runs = new AcceptanceRuns();

test("all stories pass with dynamic resources on the emulator", async () => {
  const { code, report } = await runs.run("emulator", []);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(differing(report)).toEqual([]);
  expect(unseen(report)).toEqual([...reasons(report, false), ...UNSEEN].sort());
});

test("all stories pass natively on an emulator with only the described routes, which the report names", async () => {
  const { code, report } = await runs.run("interface-only", ["--native", "--interface-only", ...LISTENER]);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(differing(report)).toEqual(INTERFACE_ONLY);
  const threads = report.stories.find(({ story }) => story === "threads");
  expect(threads?.skips.map(({ what }) => what)).toContain("metadata that changes in place");
});

test("all stories pass on an emulator like the platform of today, and unseen facts are reported", async () => {
  const { code, report } = await runs.run("today", ["--platform", "today"]);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(differing(report)).toEqual([]);
  // The workspace has neither agents nor an organization-wide key, and images have no custom_url.
  const unseen = ["2A.Deployment.name:null", "2A.Deployment.agent", "5.item 4:scope-error"];
  expect(reported(report)).toEqual({
    differing: NOT_TODAY,
    unseen: [...reasons(report, true), ...unseen, "2A.SourceConfig.custom_url:agent"].sort(),
  });
});

test("deployments and threads live on a platform that differs wherever the pages allow it", async () => {
  const image = (tag: string) => `registry.example.com/agent:${tag}`;
  const images = ["--image", image("1"), "--next-image", image("2"), "--broken-image", image("broken")];
  const options = ["--yes", "--only", "deployments,threads", "--graph", "agent", "--timeout", "2"];
  const { code, report } = await runs.run("other", [...options, ...images], runs.settings);
  expect({ failed: failed(report), code }).toEqual({ failed: [], code: 0 });
  expect(runs.platform.names()).toEqual([]);
});

test.each([
  ["python", ["--both-hosts"], []],
  // Its history has the latest state only.
  ["javascript", [], ["4B.POST /threads/{thread_id}/history"]],
] as const)(
  "the stories of agent servers pass on the published one in %s, and its facts hold",
  async (kind, hosts, expected) => {
    const server = await startPublished(kind);
    try {
      const args = [
        ...["--yes", "--only", "assistants,crons,threads,statements", "--agent-url", server.url, "--graph", "echo"],
      ];
      const { code, output, report } = await runs.run(`published-${kind}`, [...args, ...hosts]);
      if (code !== 0) throw new Error(output);
      expect(failed(report)).toEqual([]);
      expect(differing(report)).toEqual(expected);
    } finally {
      await server.stop();
    }
  },
);
