import { createDeployment, docker, githost, start, startDeployment } from "../support/emulator";
import { expectError } from "../support/rejections";

describe("--strict", () => {
  test.each([
    ["a body field", { revision_source: "x" }, "body.revision_source"],
    ["a read-only field", { tenant_id: null }, "body.tenant_id"],
  ])("rejects %s that a create does not have", async (_: string, change: object, loc: string) => {
    const response = await (await start({ strict: true })).post("/v2/deployments", docker("agent", change));
    expect(response).toMatchObject({ status: 422, body: { detail: [{ type: "extra_forbidden" }] } });
    expect(response.body.detail[0]?.loc.join(".")).toBe(loc);
  });

  test("rejects an unknown query parameter", async () => {
    const response = await (await start({ strict: true })).get("/v2/deployments?page=2");
    expectError(response, 422, [{ type: "extra_forbidden", loc: ["query", "page"] }]);
  });

  // @covers 2A.SourceConfig.deployment_type
  test("rejects a deployment type of another source than githost, and a missing revision config", async () => {
    const client = await start({ strict: true });
    const body = { name: "agent", source: "internal_docker", source_config: { deployment_type: "dev" }, secrets: [] };
    const response = await client.post("/v2/deployments", body);
    expect(response.body.detail.map((error) => error.loc.at(-1))).toEqual(["source_revision_config"]);
    const second = await client.post("/v2/deployments", { ...body, source_revision_config: {} });
    expect(second.body.detail.map((error) => error.loc.at(-1))).toEqual(["deployment_type"]);
  });
});

// @covers 2A.ResourceSpec:source
test.each([{ strict: true }, { interfaceOnly: true }])("%j rejects a resource_spec of another source", async (mode) => {
  const client = await start(mode);
  const resource_spec = { cpu: 1 };
  const detail = [{ type: "value_error", loc: ["body", "source_config", "resource_spec"] }];
  expectError(await client.post("/v2/deployments", githost("agent", { resource_spec })), 422, detail);
  const { id } = await createDeployment(client, githost("agent"));
  expectError(await client.patch(`/v2/deployments/${id}`, { source_config: { resource_spec } }), 422, detail);
});

describe("--interface-only", () => {
  test.each([
    ["DELETE", "", 405],
    ["GET", "/revisions", 404],
  ])("does not provide %s /v2/deployments/{id}%s", async (method, path, status) => {
    const { client, id, latest_revision_id } = await startDeployment({ interfaceOnly: true });
    const response = await client.send(method, `/v2/deployments/${id}${path.replace("$", latest_revision_id)}`);
    expect(response.status).toBe(status);
    expect(["Not Found", "Method Not Allowed"]).toContain(response.body.detail);
  });

  // @covers 2A.Revision
  test("returns only the revision fields of the interface, and ignores an exact name in the list", async () => {
    const { client, id, latest_revision_id, source_revision_config } = await startDeployment({ interfaceOnly: true });
    const { body } = await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}`);
    expect(body).toEqual({ id: latest_revision_id, status: "CREATING", source_revision_config });
    expect((await client.get("/v2/deployments?name=other")).body.resources).toHaveLength(1);
  });
});

describe("--without", () => {
  const exports = "/api/v1/bulk-exports";
  test.each([
    ["delete", "DELETE", "/v2/deployments/$id", 405],
    ["revisions-post", "POST", "/v2/deployments/$id/revisions", 405],
    ["redeploy", "POST", "/v2/deployments/$id/revisions/$id/redeploy", 404],
    ["logs", "GET", "/v2/deployments/$id/revisions/$id/logs?type=deploy", 404],
    ["delete-many", "DELETE", "/v2/deployments?deployment_ids=$id", 405],
    ["upload-url", "POST", "/deployments/$id/upload-url", 404],
    ["upload-url-v2", "POST", "/v2/deployments/$id/upload-url", 404],
    ["push-token", "POST", "/v2/deployments/$id/push-token", 404],
    ["repositories", "GET", "/v1/integrations/githost/$id/repos", 404],
    ["build-logs-v1", "POST", "/v1/projects/$id/revisions/$id/build_logs", 404],
    ["deploy-logs-v1", "POST", "/v1/projects/$id/revisions/$id/deploy_logs", 404],
    ["project-logs-v1", "POST", "/v1/projects/$id/deploy_logs", 404],
    ["agent-ok", "GET", "/agents/$id/ok", 404],
    ["destination-list", "GET", `${exports}/destinations`, 405],
    ["destination", "GET", `${exports}/destinations/$id`, 405],
    ["destination-patch", "PATCH", `${exports}/destinations/$id`, 405],
    ["destination-delete", "DELETE", `${exports}/destinations/$id`, 405],
    ["export-list", "GET", exports, 405],
    ["export-cancel", "PATCH", `${exports}/$id`, 405],
    ["export-runs", "GET", `${exports}/$id/runs`, 404],
    ["export-run", "GET", `${exports}/$id/runs/$id`, 404],
    ["spawned-runs", "GET", `${exports}/runs?source_bulk_export_id=$id`, 404],
  ])("%s removes %s %s", async (name, method, path, status) => {
    const id = "00000000-0000-4000-8000-000000000000";
    const headers = { "x-api-key": "k", ...(path.startsWith(exports) && { "x-tenant-id": id }) };
    const requestDetail = async (without: string[]) =>
      (await (await start({ without })).send(method, path.replaceAll("$id", id), undefined, headers)).body.detail;
    const [withRoute, withoutRoute] = [await requestDetail([]), await requestDetail([name])];
    expect(withoutRoute).toBe(status === 405 ? "Method Not Allowed" : "Not Found");
    // The detail shows whether the route or the object is missing, except on an agent server, which has one text for
    // both.
    if (name !== "agent-ok") expect(withRoute).not.toBe(withoutRoute);
  });

  test("rejects an unknown name", async () => {
    await expect(start({ without: ["delet"] })).rejects.toThrow(
      /Unknown route "delet" in --without; expected one of .*delete/,
    );
  });
});
