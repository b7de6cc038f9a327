/** The table of the README that compares this package with other tools: which test shows what it says of this one. */
import { textOf } from "./support/markdown";

/** For each row, a file with tests, and the title of one that fails if the row is wrong. */
const PROOFS: Record<string, [file: string, title: string]> = {
  "waits until the new revision is live": [
    "test/e2e/deployments/deployment-life.e2e.test.ts",
    "the first up creates the deployment and ends when it is live",
  ],
  "says why a rollout failed": [
    "test/e2e/deployments/rollout-failure.e2e.test.ts",
    "a failed first revision is reported with IDs and log",
  ],
  "shows before a change what it does to the live agent": [
    "test/e2e/commands/review.e2e.test.ts",
    "the preview JSON becomes a comment that lists the impact, the most severe first",
  ],
  "asks the new revision, and returns to the last good one": [
    "test/provider/resources/deployment/rollout/verify.hosts.test.ts",
    "is off again, which the error says, and the next up rolls it out and checks it again",
  ],
  "assistants, crons, threads and exports of traces": [
    "test/e2e/agent-service/typescript.release.test.ts",
    "a service creates its resources",
  ],
  "keeps conversations when a deployment is replaced": [
    "test/e2e/agent-service/keep-conversations.release.test.ts",
    "keeps its thread and its assistant when its deployment is renamed",
  ],
  "finds what a lost response or a killed run has created": [
    "test/e2e/deployments/interrupted.e2e.test.ts",
    "none is created twice, and the next runs continue",
  ],
  "rehearses a deployment without an account": [
    "test/scripts/up.release.test.ts",
    "print the outputs and the URL of the emulator, and leave nothing running",
  ],
  "builds the image": ["test/e2e/plugin/other-providers.release.test.ts", "with the packages of these providers"],
  "workspaces, members, roles and alerts": ["test/docs/comparison.test.ts", "this package has no resource for"],
};

const rows = [...textOf("README.md").matchAll(/^\| ([a-z].*?) \|(?: [^|]+\|){3} ([^|]+) \|$/gm)].map(
  ([, what = "", ours = ""]) => ({ what, ours }),
);

test("each row of the comparison has a proof, and each proof a row", () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(PROOFS));
});

test.each(Object.entries(PROOFS))("the row %j is shown by a test that exists", (_what, [file, title]) => {
  expect(textOf(file)).toContain(title);
});

test("this package has no resource for workspaces, members, roles and alerts, as the comparison says", () => {
  expect(rows.at(-1)).toEqual({ what: "workspaces, members, roles and alerts", ours: "no" });
  const { resources } = JSON.parse(textOf("plugin/schema.json")) as { resources: Record<string, unknown> };
  expect(Object.keys(resources).filter((token) => /Workspace|Member|Role|Alert/.test(token))).toEqual([]);
});
