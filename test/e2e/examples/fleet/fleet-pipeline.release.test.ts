/** The workflow of examples/fleet, run step by step against a repository on this machine. */
import { pathToFileURL } from "node:url";
import type { JobResult } from "../../support/workflows/job-runner";
import { Pipeline, type Values } from "../../support/workflows/pipeline";
import { API_KEY, World } from "../../support/world";

const world = new World();
let pipeline: Pipeline;

const push = { "github.event_name": "push" };
const nightly = { "github.event_name": "schedule" };
const pullRequest = (from = "team/agents") => ({
  "github.event_name": "pull_request",
  "github.event.pull_request.number": "7",
  "github.event.pull_request.head.repo.full_name": from,
});
const [CHAT, NEW_CHAT] = ["chat-agent:1.4.2", "chat-agent:1.5.0"];

beforeAll(async () => {
  const store: Values = {
    "vars.AGENTGRAPH_CONTROL_PLANE_URL": world.url,
    "vars.PULUMI_BACKEND_URL": pathToFileURL(await world.createFolder("state")).href,
    "secrets.AGENTGRAPH_API_KEY": API_KEY,
    "secrets.PULUMI_CONFIG_PASSPHRASE": "a passphrase",
    "github.repository": "team/agents",
  };
  pipeline = await Pipeline.create("fleet", await world.createFolder("pipeline"), store);
});

/** Returns the jobs that ran, with those that failed marked. */
const names = (jobs: JobResult[]) => jobs.map(({ name, failed }) => (failed ? `${name} failed` : name));
const imagesOf = async (name: string) => {
  const { id = "" } = (await world.deployments()).find((one) => one.name === name) ?? {};
  return (await world.getDeployment(id))?.revisions.map((revision) => revision.source_revision_config.image_uri);
};

test("a merge deploys the canary stack, then, after the approval, the other stacks", async () => {
  const all = [
    ...["stacks", "canary (production-canary)", "approval", "deploy (production-support)", "deploy (production-sales)"],
  ];
  expect(names(await pipeline.runWorkflow("main", push))).toEqual(all);
  expect(await world.deployments()).toHaveLength(4);
  expect(names(await pipeline.runWorkflow("main", push))).toEqual(["stacks"]);
});

test("a pull request gets one comment over the stacks that it affects, and the next push updates it", async () => {
  await pipeline.commit("images", [CHAT, NEW_CHAT], "fleet.yaml");
  await world.requests();
  const jobs = await pipeline.runWorkflow("images", pullRequest());
  expect(names(jobs)).toEqual(["stacks", "preview (production-canary)", "preview (production-support)", "comment"]);
  const [first = ""] = await pipeline.comments();
  expect(first).toContain("### `agentgraph-fleet/production-canary`: 1 to update");
  expect(first).toContain("### `agentgraph-fleet/production-support`: 2 to update");
  expect(first).not.toContain("production-sales");

  await pipeline.commit("images", [NEW_CHAT, CHAT], "fleet.yaml");
  expect(names(await pipeline.runWorkflow("images", pullRequest()))).toEqual(["stacks", "comment"]);
  expect(await pipeline.comments()).toEqual(["<!-- fleet-review -->\nNo stack is affected.\n"]);
  expect(await world.requests()).toEqual([]);
});

test("a change that would lose data fails the check of the pull request", async () => {
  await pipeline.commit("renamed", ["  quotes:", "  offers:"], "fleet.yaml");
  const jobs = await pipeline.runWorkflow("renamed", pullRequest());
  expect(names(jobs).at(-1)).toBe("comment failed");
  const [comment, ...others] = await pipeline.comments();
  expect(comment).toContain("its database and threads are lost");
  expect(others).toEqual([]);
});

test("a failed stack stops those that have not begun, and the next push continues with what is missing", async () => {
  await pipeline.commit("both", ["  offers:", "  quotes:"], "fleet.yaml");
  await pipeline.commit("both", [CHAT, NEW_CHAT], "fleet.yaml");
  await pipeline.commit("both", ["search-agent:2.0.1", "search-agent:2.1.0"], "fleet.yaml");
  await pipeline.merge("both");
  await world.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" }, skip: 1, times: 2 });
  const first = await pipeline.runWorkflow("main", push);
  expect(names(first)).toEqual([
    ...["stacks", "canary (production-canary)", "approval", "deploy (production-support) failed"],
    "deploy (production-sales) failed",
  ]);
  expect(first.at(-1)?.output).toBe("Not started, because these jobs failed: deploy (production-support)\n");
  expect(await imagesOf("quotes-production")).toEqual(["registry.example.com/search-agent:2.0.1"]);

  const second = await pipeline.runWorkflow("main", push);
  expect(names(second)).toEqual(["stacks", "approval", "deploy (production-support)", "deploy (production-sales)"]);
  expect(await imagesOf("quotes-production")).toContain("registry.example.com/search-agent:2.1.0");
});

test("the nightly job opens one issue for all stacks that have drifted, and updates it", async () => {
  const drift = ["canary", "support", "sales"].map((group) => `drift (production-${group})`);
  expect(names(await pipeline.runWorkflow("main", nightly))).toEqual(["stacks", ...drift]);
  expect(await pipeline.issues()).toEqual([]);

  for (const name of ["refunds-production", "quotes-production"]) {
    const { id = "" } = (await world.deployments()).find((one) => one.name === name) ?? {};
    await world.updateOutOfBand(id, {
      source_revision_config: { image_uri: `registry.example.com/by-hand-${name}:1` },
    });
  }
  const jobs = await pipeline.runWorkflow("main", nightly);
  expect(names(jobs)).toEqual(["stacks", drift[0], `${drift[1]} failed`, `${drift[2]} failed`, "drift-issue"]);
  await pipeline.runWorkflow("main", nightly);
  const [issue, ...others] = await pipeline.issues();
  expect(others).toEqual([]);
  expect(issue).toMatchObject({ title: "The fleet has drifted", label: "drift" });
  expect(issue?.body).toMatch(
    /### drift-production-sales[\s\S]*by-hand-quotes[\s\S]*### drift-production-support[\s\S]*by-hand-refunds/,
  );
});

test("a pull request of a fork is previewed without secrets, in the summary of its job", async () => {
  const fork = await Pipeline.create("fleet", await world.createFolder("fork"), { "github.repository": "team/agents" });
  await world.requests();
  const [job, ...others] = await fork.runWorkflow("main", pullRequest("stranger/agents"));
  expect(others).toEqual([]);
  expect(job).toMatchObject({ name: "preview-without-secrets", failed: false });
  for (const group of ["canary", "support", "sales"]) expect(job?.summary).toContain(`production-${group}\`: `);
  expect(await world.requests()).toEqual([]);
});

test("a branch other than main is not deployed by a manual start", async () => {
  const manual = { "github.event_name": "workflow_dispatch", "inputs.unlock": "true" };
  expect(await pipeline.runWorkflow("both", manual)).toEqual([]);
  const jobs = await pipeline.runWorkflow("main", manual);
  expect(names(jobs)).toContain("stacks");
});
