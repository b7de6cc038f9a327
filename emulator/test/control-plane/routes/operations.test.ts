import { start } from "../../support/emulator";

const unknownId = "00000000-0000-4000-8000-000000000000";

// @covers 4A.GET /v2/deployments/{deployment_id}, 4A.PATCH /v2/deployments/{deployment_id}
// @covers 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}
// @covers 4A.POST /deployments/{deployment_id}/upload-url
test.each([
  ["GET", "/v2/deployments/$id"],
  ["PATCH", "/v2/deployments/$id"],
  ["GET", "/v2/deployments/$id/revisions/$id"],
  ["POST", "/deployments/$id/upload-url"],
])("the operation %s %s returns 404 with a detail for an unknown ID", async (method, path) => {
  const client = await start({ interfaceOnly: true });
  const response = await client.send(method, path.replaceAll("$id", unknownId), method === "GET" ? undefined : {});
  expect(response).toMatchObject({ status: 404, body: { detail: `Deployment ${unknownId} not found` } });
});

// @covers 4A.GET /v2/deployments.remote_reconciled, 4A.GET /v2/deployments.deployment_type
// @covers 4A.GET /v2/deployments:422, 7.422
test.each(["limit=ten", "offset=0.5", "remote_reconciled=perhaps", "deployment_type=big"])(
  "the query of the list returns a validation error for %s",
  async (query) => {
    const { status, body } = await (await start({ interfaceOnly: true })).get(`/v2/deployments?${query}`);
    expect(status).toBe(422);
    const [name, input] = query.split("=");
    const item = { loc: ["query", name], msg: expect.any(String), type: expect.any(String), input };
    expect(body).toMatchObject({ detail: [item] });
  },
);

describe("every path of the interface", () => {
  const paths = [
    ...["/v2/deployments", `/v2/deployments/${unknownId}`, "/v2/listeners", "/v1/integrations/githost/install"],
  ];

  // @covers 5.item 1
  test.each([...paths, `/deployments/${unknownId}/upload-url`])("requires credentials: %s", async (path) => {
    const client = await start({ interfaceOnly: true });
    const method = path.endsWith("upload-url") ? "POST" : "GET";
    expect((await client.send(method, path, undefined, {})).status).toBe(401);
  });

  // @covers 9.item 1, 4A.GET /v2/deployments, 4A.GET /v1/integrations/githost/install, 4A.GET /v2/listeners
  test.each(paths)("exists only with its version prefix: %s", async (path) => {
    const client = await start({ interfaceOnly: true });
    expect((await client.get(path)).body.detail).not.toBe("Not Found");
    expect((await client.get(path.replace(/^\/v\d/, ""))).body.detail).toBe("Not Found");
    expect((await client.get(path.replace(/^\/v\d/, "/v3"))).body.detail).toBe("Not Found");
  });
});
