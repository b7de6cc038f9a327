import { createDeployment, docker, githost, start, startDeployment } from "../support/emulator";

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

  test("names the client and how long the request took, and shows no request that is not JSON", async () => {
    const client = await start({}, true);
    const headers = { "x-api-key": "k", "user-agent": "tool/1.2 (system)" };
    await client.send("GET", "/v2/deployments", undefined, headers);
    await client.send("POST", "/v2/deployments", '{"secrets": "hidden-value', headers);
    const entry = async (id: number) => (await client.admin("GET", `/request-log/${id}`)).body;
    const sender = { client: "tool/1.2 (system)", duration_ms: expect.any(Number) };
    const read = { request_body: null, response_body: { resources: [] }, has_secrets: false };
    expect(await entry(1)).toMatchObject({ ...sender, ...read });
    expect(await entry(2)).toMatchObject({ ...sender, request_body: "25 bytes of invalid JSON" });
  });

  test("redacts the URL of an upload, which grants access", async () => {
    const source = { ...githost("agent"), source: "internal_source", source_config: {} };
    const { client, id } = await startDeployment({}, { ...source, source_revision_config: {} });
    const { body: upload } = await client.post(`/v2/deployments/${id}/upload-url`);
    expect(upload.upload_url).toContain("signature=");
    const { entries } = (await client.admin("GET", "/request-log?path=**/upload-url")).body;
    const detail = (await client.admin("GET", `/request-log/${entries[0]?.id}`)).body;
    expect(detail).toMatchObject({ response_body: { upload_url: "**********" }, has_secrets: true });
  });

  test("does not exist for an unknown ID", async () => {
    const client = await start();
    const detail = "The request log has no entry 77";
    expect(await client.admin("GET", "/request-log/77")).toMatchObject({ status: 404, body: { detail } });
  });
});

describe("the filters of the request log", () => {
  test("select the requests about one resource, including the one that created it", async () => {
    const { client, id } = await startDeployment({}, docker("one"));
    await createDeployment(client, docker("two"));
    await client.get(`/v2/deployments/${id}`);
    await client.get("/v2/deployments");
    const { entries } = (await client.admin("GET", `/request-log?resource=${id}`)).body;
    expect(entries.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  test("select the newest entries before an ID", async () => {
    const client = await start({}, true);
    for (let time = 0; time < 5; time++) await client.get("/v2/deployments");
    const { entries } = (await client.admin("GET", "/request-log?before=4&limit=2")).body;
    expect(entries.map((entry) => entry.id)).toEqual([2, 3]);
  });
});
