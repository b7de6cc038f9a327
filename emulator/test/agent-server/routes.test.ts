import { startAgent } from "../support/agent-server";
import { rolloutMs, startDeployment } from "../support/emulator";

describe("the agent server of a deployment", () => {
  // @covers 4B.GET /ok, 2A.SourceConfig.custom_url:agent
  test("responds to /ok at custom_url once the first revision is DEPLOYED, without an API key", async () => {
    const { client, id, source_config } = await startDeployment({ strict: true });
    const ok = () => client.send("GET", `/agents/${id}/ok`, undefined, {});
    expect([source_config.custom_url, (await ok()).status]).toEqual([null, 503]);
    await client.advance(rolloutMs);
    expect(await ok()).toMatchObject({ status: 200, body: { ok: true } });
    const { custom_url } = (await client.get(`/v2/deployments/${id}`)).body.source_config;
    expect(custom_url).toBe(`${client.emulator.urls.controlPlane}/agents/${id}`);
    expect((await fetch(`${custom_url}/ok`)).status).toBe(200);
  });

  test("stays available while a later revision fails, until the deployment is deleted", async () => {
    const { client, id } = await startDeployment({ strict: true });
    await client.advance(rolloutMs);
    await client.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    await client.patch(`/v2/deployments/${id}`, { source_revision_config: { image_uri: "x:2" } });
    await client.advance(rolloutMs);
    const ok = async () => (await client.send("GET", `/agents/${id}/ok`, undefined, {})).status;
    expect(await ok()).toBe(200);
    await client.remove(`/v2/deployments/${id}`);
    expect(await ok()).toBe(503);
    await client.advance(rolloutMs);
    expect(await ok()).toBe(404);
  });

  // @covers 4B.GET /info
  test("returns its version and features at /info", async () => {
    const { status, body } = await (await startAgent({ strict: true })).call("GET", "/info");
    expect([status, body]).toMatchObject([
      200,
      { version: expect.stringMatching(/^\d+\.\d+\.\d+/), flags: { assistants: true, crons: true } },
    ]);
    const without = await startAgent({ without: ["crons-create"] });
    expect((await without.call("GET", "/info")).body).toMatchObject({ flags: { crons: false } });
  });
});
