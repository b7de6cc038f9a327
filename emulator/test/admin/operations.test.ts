import { rolloutMs, startDeployment, statuses } from "../support/emulator";

describe("an out-of-band change", () => {
  test.each(["UNUSED", "UNKNOWN", "READY", "AWAITING_DATABASE"])("sets the status %s", async (status) => {
    const { client, id } = await startDeployment();
    await client.advance(rolloutMs);
    expect((await client.admin("PATCH", `/deployments/${id}`, { status })).status).toBe(200);
    expect((await client.get(`/v2/deployments/${id}`)).body.status).toBe(status);
  });

  // @covers 2A.Deployment.is_managed_deep_agent
  test("updates a deployment without creating a revision", async () => {
    const { client, id } = await startDeployment();
    const change = {
      source_revision_config: { image_uri: "other:2" },
      source_config: { resource_spec: { cpu: 2 } },
      secrets: [{ name: "B", value: "2" }],
      image_version: "0.5.0",
      is_managed_deep_agent: true,
    };
    await client.admin("PATCH", `/deployments/${id}`, change);
    const { body } = await client.get(`/v2/deployments/${id}`);
    expect(body).toMatchObject({ image_version: "0.5.0", is_managed_deep_agent: true, secrets: change.secrets });
    expect(body.source_revision_config.image_uri).toBe("other:2");
    expect(body.source_config.resource_spec).toMatchObject({ cpu: 2, cpu_limit: 4 });
    expect(await statuses(client, id)).toHaveLength(1);
  });

  test("can end a revision and make the database unavailable", async () => {
    const { client, id, latest_revision_id } = await startDeployment();
    await client.admin("PATCH", `/deployments/${id}`, { status: "AWAITING_DATABASE", revision_status: "DEPLOYED" });
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
    expect((await client.get(`/v2/deployments/${id}`)).body.active_revision_id).toBe(latest_revision_id);
    await client.admin("PATCH", `/deployments/${id}`, { status: "AWAITING_DATABASE" });
    await client.patch(`/v2/deployments/${id}`, { source_revision_config: { image_uri: "x:2" } });
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "QUEUED"]);
    await client.admin("PATCH", `/deployments/${id}`, { status: "READY" });
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "DEPLOYED"]);
  });

  test("deletes a deployment immediately, and a listener", async () => {
    const { client, id } = await startDeployment();
    expect((await client.admin("DELETE", `/deployments/${id}`)).status).toBe(204);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(404);
    await client.admin("DELETE", "/listeners/22222222-2222-4222-8222-222222222222");
    expect((await client.get("/v2/listeners")).body.resources).toEqual([]);
  });
});
