import { docker, githost, startDeployment } from "../../support/emulator";

describe("a push token", () => {
  const internal = docker("agent", { source: "internal_docker", source_config: {} });

  // @covers 2A.PushToken, 4A.POST /v2/deployments/{deployment_id}/push-token
  test("returns the registry and the token for pushing an image", async () => {
    const { client, id } = await startDeployment({ strict: true }, internal);
    const { status, body } = await client.post(`/v2/deployments/${id}/push-token`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { token: expect.stringMatching(/^[\w-]{32}$/), registry_url: `registry.example/${id}` },
    });
    expect((await client.post(`/v2/deployments/${id}/push-token`)).body).not.toEqual(body);
  });

  // @covers 2A.PushToken
  test("includes a user name for clients that support it", async () => {
    const { client, id } = await startDeployment({ strict: true }, internal);
    const { body } = await client.post(`/v2/deployments/${id}/push-token`, { supports_registry_username: true });
    expect(body).toEqual({
      token: expect.any(String),
      registry_url: `registry.example/${id}`,
      username: "push",
      repository_url: `registry.example/${id}/agent`,
    });
  });

  // @covers 4A.POST /v2/deployments/{deployment_id}/push-token
  test.each([docker("agent"), githost("agent")])("is rejected for source $source", async (body) => {
    const { client, id } = await startDeployment({ strict: true }, body);
    const response = await client.post(`/v2/deployments/${id}/push-token`);
    const detail = "Push tokens are only available for 'internal_docker' source deployments";
    expect(response).toMatchObject({ status: 400, body: { detail } });
  });
});
