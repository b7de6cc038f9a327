import { agentOf, startAgent, startThread, unknownId } from "../support/agent-server";
import { createDeployment, docker, rolloutMs, start } from "../support/emulator";
import { internalSource, tarball, uploadSource } from "../support/tarballs";

const admin = async (agent: Awaited<ReturnType<typeof startAgent>>, method: string, path: string, body?: object) =>
  (await agent.admin(method, `/agents/${agent.deploymentId}${path}`, body)) as unknown as {
    status: number;
    body: Record<string, unknown>;
  };

describe("/_emulator/agents", () => {
  test("shows the graphs and the names of environment variables of an agent server, never their values", async () => {
    const secrets = [{ name: "OPENAI_API_KEY", value: "very-secret" }];
    const secret_references = [{ name: "DB_URL", secret_name: "db", secret_key: "url" }];
    const agent = await startAgent({ strict: true }, docker("agent", { secrets, secret_references }));
    await agent.thread();
    const { body } = await admin(agent, "GET", "");
    expect(body).toEqual({
      deployment_id: agent.deploymentId,
      ...{ name: "agent", serves: true, agent_auth: "none", process: null },
      ...{ assistants: 6, crons: 0, threads: 1, runs: 0 },
      graphs: {
        ...{ echo: "echo", counter: "counter", interrupt: "interrupt", failing: "failing", memory: "memory" },
        agent: "echo",
      },
      environment: ["OPENAI_API_KEY", "DB_URL"],
    });
    expect((await agent.admin("GET", `/agents/${unknownId}`)).status).toBe(404);
  });

  test("adds graphs to a deployment, which become assistants", async () => {
    const agent = await startAgent({ strict: true });
    await admin(agent, "PATCH", "", { graphs: { approval: "interrupt" } });
    const { list } = await agent.call("POST", "/assistants/search", { limit: 100 });
    expect(list.map(({ graph_id }) => graph_id)).toContain("approval");
    expect((await admin(agent, "PATCH", "", { graphs: { approval: "nothing" } })).status).toBe(422);
  });

  // @covers 2B.cron_id
  test("starts a run as a cron job does, with the ID of the job in the metadata of the thread", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const body = { assistant_id: "echo", cron_id: "nightly" };
    const response = await admin(agent, "POST", `/threads/${thread_id}/runs`, body);
    expect(response).toMatchObject({ status: 201, body: { metadata: { cron_id: "nightly" } } });
    await agent.advance(5000);
    const search = await agent.call("POST", "/threads/search", { metadata: { cron_id: "nightly" } });
    expect(search.list).toMatchObject([{ thread_id, status: "idle" }]);
  });

  test("returns the states of a thread as its agent server does, without a key", async () => {
    const agent = await startAgent({ strict: true, agentAuth: "key" });
    await agent.emulator.seed({ keys: [{ key: "a-key" }] });
    const headers = { "x-api-key": "a-key" };
    const { thread_id } = (await agent.call("POST", "/threads", {}, headers)).body;
    const body = { assistant_id: "echo", input: {} };
    await agent.call("POST", `/threads/${thread_id}/runs`, body, headers);
    await agent.advance(5000);
    const { list } = await agent.call("POST", `/threads/${thread_id}/history`, { limit: 50 }, headers);
    expect(list).toHaveLength(3);
    expect(await admin(agent, "GET", `/threads/${thread_id}/history`)).toMatchObject({ status: 200, body: list });
  });

  test("updates and deletes a thread out of band", async () => {
    const { agent, thread_id } = await startThread({ interfaceOnly: true }, { metadata: { a: 1, b: 2 } });
    await admin(agent, "PATCH", `/threads/${thread_id}`, { metadata: { b: 3 }, status: "error" });
    const changed = (await agent.call("GET", `/threads/${thread_id}`)).body;
    expect([changed.metadata, changed.status]).toEqual([{ b: 3 }, "error"]);
    expect((await admin(agent, "DELETE", `/threads/${thread_id}`)).status).toBe(204);
    expect((await agent.call("GET", `/threads/${thread_id}`)).status).toBe(404);
  });
});

describe("the graphs of a deployment", () => {
  const graphsOf = async (agent: Awaited<ReturnType<typeof startAgent>>) =>
    (await agent.call("POST", "/assistants/search", { limit: 100 })).list.map(({ graph_id }) => graph_id).sort();
  const builtIn = ["counter", "echo", "failing", "interrupt", "memory"];

  test("are the built-in ones and those of the graphs option", async () => {
    const agent = await startAgent({ strict: true, graphs: { approval: "interrupt", agent: "counter" } });
    expect(await graphsOf(agent)).toEqual(["agent", "approval", ...builtIn].sort());
    const { thread_id } = await agent.thread();
    await agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id: "agent", input: {} });
    await agent.advance(5000);
    expect((await agent.state(thread_id)).values.count).toBe(3);
  });

  test("include those of the graph configuration in an uploaded source", async () => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, internalSource("research"));
    const config = JSON.stringify({ graphs: { researcher: "./a.py:graph", counter: "./b.py:graph" } });
    await uploadSource(client, deployment, tarball({ "agentgraph.json": config }));
    await client.advance(rolloutMs);
    expect(await graphsOf(agentOf(client, deployment.id))).toEqual([...builtIn, "researcher"].sort());
  });

  test("can be seeded with the deployment", async () => {
    const client = await start({ strict: true });
    const seeded = { deployments: [{ name: "old", graphs: { review: "interrupt" as const } }] };
    const { deployments } = await client.emulator.seed(seeded);
    expect(await graphsOf(agentOf(client, String(deployments?.[0])))).toContain("review");
  });
});

test("two deployments can have different threads with the same ID", async () => {
  const first = await startAgent({ strict: true });
  const { id } = await createDeployment(first, docker("other"), rolloutMs);
  const second = agentOf(first, id);
  await first.thread({ thread_id: unknownId, metadata: { of: "first" } });
  expect((await second.call("GET", `/threads/${unknownId}`)).status).toBe(404);
  await second.thread({ thread_id: unknownId, metadata: { of: "second" } });
  await first.call("DELETE", `/threads/${unknownId}`);
  expect((await second.call("GET", `/threads/${unknownId}`)).body.metadata).toEqual({ of: "second" });
});
