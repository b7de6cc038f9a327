import { createDeployment, docker, githost, start } from "../support/emulator";

const secret = { name: "A", value: "hidden-value" };

describe("one entry of the request log", () => {
  test("contains the bodies of request and response, with secret values only on demand", async () => {
    const client = await start({}, true);
    const { id, latest_revision_id } = await createDeployment(client, docker("agent", { secrets: [secret] }));
    const redacted = (await client.admin("GET", "/request-log/1")).body;
    expect(redacted).toMatchObject({
      operation: "Create a deployment",
      resources: [id, latest_revision_id],
      status: 201,
      request_body: { name: "agent", secrets: [{ name: "A", value: "**********" }] },
      response_body: { id, name: "agent" },
      has_secrets: true,
    });
    expect(JSON.stringify(redacted)).not.toContain(secret.value);
    const shown = (await client.admin("GET", "/request-log/1?secrets=shown")).body;
    expect(shown).toMatchObject({ request_body: { secrets: [secret] }, has_secrets: true });
  });

  test("says that there are no secret values where there are none", async () => {
    const client = await start({}, true);
    await client.get("/v2/deployments");
    expect((await client.admin("GET", "/request-log/1")).body).toMatchObject({
      request_body: null,
      response_body: { resources: [] },
      has_secrets: false,
    });
  });

  test("names the client and how long the request took", async () => {
    const client = await start({}, true);
    await client.send("GET", "/v2/deployments", undefined, { "x-api-key": "k", "user-agent": "tool/1.2 (system)" });
    const { body } = await client.admin("GET", "/request-log/1");
    expect(body).toMatchObject({ client: "tool/1.2 (system)", duration_ms: expect.any(Number) });
  });

  test("does not show a request that is not JSON, which could contain secrets", async () => {
    const client = await start({}, true);
    await client.send("POST", "/v2/deployments", '{"secrets": "hidden-value', { "x-api-key": "a-key" });
    const { body } = await client.admin("GET", "/request-log/1");
    expect(body).toMatchObject({ request_body: "25 bytes of invalid JSON" });
  });

  test("redacts the URL of an upload, which grants access", async () => {
    const client = await start();
    const source = { ...githost("agent"), source: "internal_source", source_config: {} };
    const { id } = await createDeployment(client, { ...source, source_revision_config: {} });
    const { body: upload } = await client.post(`/v2/deployments/${id}/upload-url`);
    expect(upload.upload_url).toContain("signature=");
    const { entries } = (await client.admin("GET", "/request-log?path=**/upload-url")).body;
    const detail = (await client.admin("GET", `/request-log/${entries[0]?.id}`)).body;
    expect(detail).toMatchObject({ response_body: { upload_url: "**********" }, has_secrets: true });
  });

  test("does not exist for an unknown ID", async () => {
    const client = await start();
    expect(await client.admin("GET", "/request-log/77")).toMatchObject({
      status: 404,
      body: { detail: "The request log has no entry 77" },
    });
  });
});

describe("the filters of the request log", () => {
  test("select the requests about one resource, including the one that created it", async () => {
    const client = await start();
    const { id } = await createDeployment(client, docker("one"));
    await createDeployment(client, docker("two"));
    await client.get(`/v2/deployments/${id}`);
    await client.get("/v2/deployments");
    const { entries } = (await client.admin("GET", `/request-log?resource=${id}`)).body;
    expect(entries.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  test("select several methods", async () => {
    const client = await start();
    const { id } = await createDeployment(client, docker("agent"));
    await client.get("/v2/deployments");
    await client.remove(`/v2/deployments/${id}`);
    const { entries } = (await client.admin("GET", "/request-log?method=post,DELETE")).body;
    expect(entries.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  });

  test("select the newest entries before an ID", async () => {
    const client = await start({}, true);
    for (let time = 0; time < 5; time++) await client.get("/v2/deployments");
    const { entries } = (await client.admin("GET", "/request-log?before=4&limit=2")).body;
    expect(entries.map((entry) => entry.id)).toEqual([2, 3]);
  });
});
