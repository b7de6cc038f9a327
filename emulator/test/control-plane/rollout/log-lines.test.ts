import { type Body, type Client, createDeployment, docker, githost, rolloutMs, start } from "../../support/emulator";
import { internalSource, logMessages, tarball, uploadSource } from "../../support/tarballs";

const listener_id = "22222222-2222-4222-8222-222222222222";
const image = "registry.example/agent:1";

/** Deploys, and returns the deployment and its complete logs. */
async function deploy(body: object, revision?: object): Promise<{ deployment: Body; build: string[]; log: string[] }> {
  const client = await start({ strict: true });
  if (revision) await client.emulator.faults.add({ revision });
  const deployment = await createDeployment(client, body, rolloutMs);
  return { deployment, ...(await logs(client, deployment)) };
}

async function logs(client: Client, { id }: Body): Promise<{ build: string[]; log: string[] }> {
  return { build: await logMessages(client, id, "build"), log: await logMessages(client, id, "deploy") };
}

describe("the logs of a rollout", () => {
  // @covers 2A.Secret.value:environment
  test("of an image contain the steps of its deployment only", async () => {
    const source_config = {
      listener_id,
      listener_config: { k8s_namespace: "agents" },
      resource_spec: { min_scale: 2, max_scale: 3 },
    };
    const secrets = ["A", "B"].map((name) => ({ name, value: "1" }));
    const { deployment, build, log } = await deploy(docker("agent", { source_config, secrets }));
    expect(build).toEqual([]);
    expect(log).toEqual([
      `Step 1/5: queued the rollout of agent with ${image}`,
      `Revision ${deployment.latest_revision_id}`,
      `Step 2/5: pulling ${image}`,
      `Pulled ${image}`,
      "Step 3/5: applying the workload to namespace agents",
      "Replicas: 2 to 3",
      "Environment: 2 secrets set",
      "Database migrations are up to date",
      "Step 4/5: starting replicas",
      "Waiting for the health check",
      "Step 5/5: all replicas are ready",
      `Deployed ${image}`,
    ]);
  });

  test("of a repository contain the steps of its build, too", async () => {
    const { deployment, build, log } = await deploy(githost("agent"));
    const origin = "https://git.example/team/agent at main";
    expect(build.slice(0, 4)).toEqual([
      `Step 1/6: queued the build of agent from ${origin}`,
      `Revision ${deployment.latest_revision_id}`,
      `Step 2/6: fetching ${origin}`,
      `Fetched commit ${deployment.source_revision_config.repo_commit_sha}`,
    ]);
    expect(build.slice(-2)).toEqual([`Step 6/6: pushing the image built from ${origin}`, "Build finished"]);
    expect(log[0]).toBe("Step 1/5: queued the rollout of agent with main");
    expect(log[2]).toMatch(/^Step 2\/5: pulling registry\.example\/agent@sha256:[0-9a-f]{64}$/);
  });

  test("of a repository without a branch name its default branch", async () => {
    const { build } = await deploy(githost("agent", {}, { repo_ref: null }));
    expect(build[0]).toContain("from https://git.example/team/agent at its default branch");
  });

  test("of an uploaded source name its object path", async () => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, internalSource("agent"));
    const { body } = await uploadSource(client, deployment, tarball());
    await client.advance(rolloutMs);
    const path = body.source_revision_config.source_tarball_path;
    const { build, log } = await logs(client, deployment);
    expect(build[0]).toBe(`Step 1/6: queued the build of agent from ${path}`);
    expect(build.at(-2)).toBe(`Step 6/6: pushing the image built from ${path}`);
    expect(log[0]).toBe(`Step 1/5: queued the rollout of agent with ${path}`);
  });

  test.each([
    [
      "of a template",
      docker("agent", { source: "internal_template", source_config: {}, source_revision_config: {} }),
      "1 to 1",
    ],
    ["with a minimum alone", docker("agent", { source_config: { resource_spec: { min_scale: 2 } } }), "2 to 2"],
    ["with a maximum alone", docker("agent", { source_config: { resource_spec: { max_scale: 4 } } }), "1 to 4"],
  ])("%s name the number of replicas", async (_, body, replicas) => {
    expect((await deploy(body)).log.slice(4, 6)).toEqual(["Step 3/5: applying the workload", `Replicas: ${replicas}`]);
  });
});

describe("the logs of a rollout that fails", () => {
  test("end at the step without its input", async () => {
    const { log } = await deploy(docker("agent", { source_revision_config: {} }));
    expect(log.slice(2)).toEqual([
      "Step 2/5: pulling the prebuilt template",
      "No image to run: source_revision_config.image_uri is not set",
    ]);
    const withoutRepository = await deploy(githost("agent", { repo_url: null }));
    expect(withoutRepository.build.slice(2)).toEqual([
      "Step 2/6: fetching repository at main",
      "Nothing to build: source_config.repo_url is not set",
    ]);
  });

  test.each([
    ["BUILD_FAILED", "build", githost("agent")],
    ["CREATE_FAILED", "build", githost("agent")],
    ["CREATE_FAILED", "log", docker("agent")],
    ["DEPLOY_FAILED", "log", githost("agent")],
  ] as const)("end with the injected %s in the %s", async (ends, which, body) => {
    const result = await deploy(body, { ends });
    expect(result[which].at(-1)).toBe(`${ends} (injected fault)`);
    expect(result[which === "log" ? "build" : "log"].join()).not.toContain("injected fault");
  });

  test("end with the lines of the injected fault instead, each with its level", async () => {
    const client = await start({ strict: true });
    const lines = ["No space left", { level: "WARNING", message: "Giving up" }];
    await client.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: lines } });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"), rolloutMs);
    const path = `/v2/deployments/${id}/revisions/${latest_revision_id}/logs?type=deploy&order=desc&limit=3`;
    expect((await client.get(path)).body.logs.map(({ level, message }) => [level, message])).toEqual([
      ["WARNING", "Giving up"],
      ["ERROR", "No space left"],
      ["INFO", "Waiting for the health check"],
    ]);
  });

  test("of a revision that becomes UNKNOWN contain no error", async () => {
    expect((await deploy(docker("agent"), { ends: "UNKNOWN" })).log.at(-1)).toBe("Waiting for the health check");
  });
});

test("the log of a revision names who replaced it in the queue, and that it was interrupted", async () => {
  const client = await start({ strict: true });
  const { id, latest_revision_id: first } = await createDeployment(client, docker("agent"), 1000);
  const ids = [first];
  for (const tag of [2, 3]) {
    const { body } = await client.patch(`/v2/deployments/${id}`, { source_revision_config: { image_uri: `x:${tag}` } });
    ids.push(body.latest_revision_id);
  }
  await client.advance(400);
  await client.post(`/v2/deployments/${id}/revisions/${first}/interrupt`);
  const lastLine = async (revision = "") =>
    (await client.get(`/v2/deployments/${id}/revisions/${revision}/logs?type=deploy&order=desc&limit=1`)).body.logs[0];
  expect(await lastLine(ids[0])).toMatchObject({ level: "WARNING", message: "Interrupted on request" });
  expect(await lastLine(ids[1])).toMatchObject({ level: "INFO", message: `Skipped: revision ${ids[2]} is newer` });
});
