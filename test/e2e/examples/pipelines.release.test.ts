/** The workflows of the examples, run step by step against a repository on this machine. */
import { pathToFileURL } from "node:url";
import { waitUntil } from "../support/wait-until";
import { Pipeline, type Values } from "../support/workflows/pipeline";
import { API_KEY, World } from "../support/world";

const world = new World();

/** What the team keeps in its store: variables and secrets. */
async function store(backend: string): Promise<Values> {
  return {
    "vars.AGENTGRAPH_CONTROL_PLANE_URL": world.url,
    "vars.PULUMI_BACKEND_URL": pathToFileURL(await world.createFolder(backend)).href,
    "secrets.AGENTGRAPH_API_KEY": API_KEY,
    "secrets.PULUMI_CONFIG_PASSPHRASE": "a passphrase",
    "secrets.MODEL_API_KEY": "a-model-key",
    "github.repository": "team/agents",
  };
}

const push = { "github.event_name": "push" };
const nightly = { "github.event_name": "schedule" };
const manualRun = { "github.event_name": "workflow_dispatch", "inputs.unlock": "true" };
const pullRequest = (action = "synchronize", from = "team/agents") => ({
  "github.event_name": "pull_request",
  "github.event.action": action,
  "github.event.pull_request.number": "7",
  "github.event.pull_request.head.sha": "5d41402abc4b2a76b9719d911017c592ae2b1234",
  "github.event.pull_request.head.repo.full_name": from,
});

const onlyDeployment = async (name = "support-agent") => {
  const matches = (await world.deployments()).filter((deployment) => deployment.name === name);
  expect(matches).toHaveLength(1);
  return world.getDeployment(matches[0]?.id ?? "");
};

describe("examples/ci", () => {
  let ci: Pipeline;

  beforeAll(async () => {
    ci = await Pipeline.create("ci", await world.createFolder("ci"), await store("state-ci"));
  });

  test("a killed job leaves the state locked, and a manual job unlocks it and resumes", async () => {
    await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
    const killed = ci.runEvent("main", push);
    await waitUntil(
      () => world.emulator.requestLog.count({ method: "GET", path: "/v2/deployments/*/revisions/*" }) > 0,
      () => "the provider to look at the revision",
    );
    await ci.killRunner();
    expect(await killed).toMatchObject({ name: "deploy", failed: true });
    await world.emulator.faults.clear();
    expect(await ci.runEvent("main", push)).toMatchObject({
      failed: true,
      output: expect.stringContaining("pulumi cancel"),
    });

    await expect(ci.runEvent("feature", manualRun)).rejects.toThrow("starts 0 jobs");
    expect(await ci.runEvent("main", manualRun)).toMatchObject({ name: "deploy", failed: false });
    expect(await onlyDeployment()).toMatchObject({ status: "READY", revisions: [{ status: "DEPLOYED" }] });
  });

  test("a pull request gets one comment, which a push that would lose data updates before it fails", async () => {
    await ci.commit("new-image", ["support-agent:1.0.0", "support-agent:1.1.0"]);
    await world.requests();
    expect(await ci.runEvent("new-image", pullRequest())).toMatchObject({ name: "preview", failed: false });
    const [first = ""] = await ci.comments();
    expect(first).toContain("<!-- agentgraph-review:agentgraph-ci/production -->");
    expect(first).toContain("support-agent");
    expect(first).not.toContain("a-model-key");

    await ci.commit("renamed", ['source: "external_docker"', 'name: "another", source: "external_docker"']);
    expect(await ci.runEvent("renamed", pullRequest())).toMatchObject({ failed: true });
    const [second, ...others] = await ci.comments();
    expect(second).toMatch(/lost/i);
    expect(others).toEqual([]);
    expect(await world.requests()).toEqual([]);
  });

  test("a preview that cannot start fails its job and changes no comment", async () => {
    const comments = ["LGTM, but wait for Monday.", ...(await ci.comments())];
    const other = await Pipeline.create("ci", await world.createFolder("ci-locked-out"), {
      ...(await store("state-ci")),
      "secrets.PULUMI_CONFIG_PASSPHRASE": "not the passphrase",
    });
    for (const comment of comments) await other.addComment(comment);
    const job = await other.runEvent("main", pullRequest());
    expect(job).toMatchObject({ failed: true, output: expect.stringContaining("incorrect passphrase") });
    expect(await other.comments()).toEqual(comments);
  });

  test("a merge deploys, and the nightly job reports drift only after an out-of-band change", async () => {
    await ci.merge("new-image");
    expect(await ci.runEvent("main", push)).toMatchObject({ name: "deploy", failed: false });
    const { id, revisions } = { id: "", revisions: [], ...(await onlyDeployment()) };
    expect(revisions[0]).toMatchObject({
      source_revision_config: { image_uri: "registry.example.com/support-agent:1.1.0" },
    });
    expect(await ci.runEvent("main", nightly)).toMatchObject({ name: "drift", failed: false });

    const body = JSON.stringify({ source_revision_config: { image_uri: "registry.example.com/by-hand:1" } });
    await fetch(`${world.emulator.urls.admin}/deployments/${id}`, { method: "PATCH", body });
    const drift = await ci.runEvent("main", nightly);
    expect(drift).toMatchObject({ failed: true, output: expect.stringContaining("by-hand:1") });
  });

  test.each([
    ["of a fork", pullRequest("opened", "stranger/agents")],
    ["of a bot that gets no secrets", { ...pullRequest(), "github.actor": "dependabot[bot]" }],
  ])("a pull request %s is previewed without secrets, in the summary of its job", async (_whose, event) => {
    await world.requests();
    const { "github.repository": repository = "" } = await store("state-ci");
    const folder = await world.createFolder(`ci-${event["github.event.action"]}`);
    const fork = await Pipeline.create("ci", folder, { "github.repository": repository });
    const job = await fork.runEvent("main", event);
    expect(job).toMatchObject({ name: "preview-without-secrets", failed: false });
    expect(job.summary).toContain("support-agent");
    expect(await fork.comments()).toEqual([]);
    expect(await world.requests()).toEqual([]);
  });
});

describe("examples/preview-environments", () => {
  const name = "support-agent-pr-7";
  const environmentDeployments = async () =>
    (await world.deployments()).filter((deployment) => deployment.name === name);
  const createPipeline = async (of: string) =>
    Pipeline.create("preview-environments", await world.createFolder(of), await store(`state-${of}`));

  test("a pull request has its own deployment until it is closed, whatever the name of its branch", async () => {
    const branch = "feat/$(touch$IFS-pwned);`id`&'x";
    const pipeline = await createPipeline("environments");
    await pipeline.commit(branch);
    expect(await pipeline.runEvent(branch, pullRequest("opened"))).toMatchObject({ failed: false });
    const { id } = { id: "", ...(await onlyDeployment(name)) };
    const comment = expect.stringContaining(`The agent of this pull request: ${world.url}/agents/${id}`);
    expect(await pipeline.comments()).toEqual([comment]);
    expect(await pipeline.runEvent(branch, pullRequest("reopened"))).toMatchObject({ failed: false });
    expect(await pipeline.comments()).toEqual([comment]);

    expect(await pipeline.runEvent(branch, pullRequest("closed"))).toMatchObject({ failed: false });
    expect(await environmentDeployments()).toEqual([]);
    expect(await pipeline.runEvent(branch, pullRequest("closed"))).toMatchObject({ failed: false });
  });

  test("the first successful push is announced if the one that opened the pull request failed", async () => {
    const pipeline = await createPipeline("second-try");
    await world.emulator.faults.add({ method: "POST", path: "/v2/deployments", status: 403, body: { detail: "no" } });
    expect(await pipeline.runEvent("main", pullRequest("opened"))).toMatchObject({ failed: true });
    expect(await pipeline.comments()).toEqual([]);
    expect(await pipeline.runEvent("main", pullRequest())).toMatchObject({ failed: false });
    expect(await pipeline.comments()).toHaveLength(1);
    expect(await pipeline.runEvent("main", pullRequest("closed"))).toMatchObject({ failed: false });
  });

  test("a pull request that is closed after its job was killed leaves no resources", async () => {
    const pipeline = await createPipeline("killed");
    await world.requests();
    await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
    const killed = pipeline.runEvent("main", pullRequest("opened"));
    await waitUntil(
      () => world.emulator.requestLog.count({ method: "GET", path: "/v2/deployments/*/revisions/*" }) > 0,
      () => "the provider to look at the revision",
    );
    await pipeline.killRunner();
    expect(await killed).toMatchObject({ failed: true });
    await world.emulator.faults.clear();
    expect(await environmentDeployments()).toHaveLength(1);

    expect(await pipeline.runEvent("main", pullRequest("closed"))).toMatchObject({ failed: false });
    expect(await environmentDeployments()).toEqual([]);
  });
});
