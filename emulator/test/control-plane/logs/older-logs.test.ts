import { createDeployment, docker, githost, rolloutMs, start, startDeployment } from "../../support/emulator";

describe("the older form of the logs", () => {
  // @covers 4A.POST /v1/projects/{deployment_id}/revisions/{revision_id}/build_logs
  // @covers 4A.POST /v1/projects/{deployment_id}/revisions/{revision_id}/deploy_logs
  test.each(["build", "deploy"])("returns the same %s lines as the newer form, once to who follows", async (type) => {
    const { client, id, latest_revision_id: revision } = await startDeployment({ strict: true }, githost("agent"));
    const path = `/v1/projects/${id}/revisions/${revision}/${type}_logs`;
    await client.advance(3_000);
    const { logs: begun, next_offset: offset } = (await client.post(path, { order: "asc" })).body;
    await client.advance(rolloutMs);
    const newer = await client.get(`/v2/deployments/${id}/revisions/${revision}/logs?order=asc&type=${type}`);
    expect((await client.post(path, { order: "asc" })).body).toEqual(newer.body);
    const rest = (await client.post(path, { order: "asc", offset })).body;
    expect([begun.length > 3, [...begun, ...rest.logs]]).toEqual([true, newer.body.logs]);
  });

  test("accepts the same parameters in its body, and treats null as absent", async () => {
    const client = await start({ strict: true });
    await client.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["Out of memory"] } });
    const { id, latest_revision_id: revision } = await createDeployment(client, docker("agent"), rolloutMs);
    const path = `/v1/projects/${id}/revisions/${revision}/deploy_logs`;
    const body = { level: "ERROR", query: "memory", limit: null, order: null, offset: null, start_time: null };
    expect((await client.post(path, body)).body.logs).toMatchObject([{ message: "Out of memory" }]);
    const first = (await client.post(path, { limit: 3, order: "desc" })).body;
    expect(first.logs[0]?.message).toBe("Out of memory");
    const second = (await client.post(path, { limit: 3, order: "desc", offset: first.next_offset })).body;
    expect(Number(second.logs[0]?.id)).toBeLessThan(Number(first.logs[2]?.id));
    expect((await client.post(path, { limit: 0 })).status).toBe(422);
  });

  // @covers 4A.POST /v1/projects/{deployment_id}/deploy_logs
  test("returns the deploy logs of all revisions together", async () => {
    const { client, id } = await startDeployment({ strict: true }, docker("agent"), rolloutMs);
    await client.patch(`/v2/deployments/${id}`, { source_revision_config: { image_uri: "registry.example/agent:2" } });
    await client.advance(rolloutMs);
    const { logs } = (await client.post(`/v1/projects/${id}/deploy_logs`, { query: "Pulled" })).body;
    expect(logs.map((line) => line.message)).toEqual([1, 2].map((tag) => `Pulled registry.example/agent:${tag}`));
  });

  test("returns 404 for an unknown deployment or revision", async () => {
    const client = await start({ strict: true });
    const unknownId = "00000000-0000-4000-8000-000000000000";
    expect((await client.post(`/v1/projects/${unknownId}/deploy_logs`)).status).toBe(404);
    const { id } = await createDeployment(client, docker("agent"));
    expect((await client.post(`/v1/projects/${id}/revisions/${unknownId}/build_logs`)).status).toBe(404);
  });
});
