import { routesOf } from "../../src/platform";
import { resolveSettings } from "../../src/runtime/options";
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
  // Those of agent servers are in agent-server/modes.test.ts: they say the same without a route and without an object.
  const routes = routesOf(resolveSettings({}, [])).filter(({ path }) => !path.startsWith("/agents/"));

  test.each(routes)("$name removes $method $path", async ({ name, method, path }) => {
    const id = "00000000-0000-4000-8000-000000000000";
    const headers = { "x-api-key": "k", "x-tenant-id": id };
    const requestDetail = async (without: string[]) =>
      (await (await start({ without })).send(method, path.replaceAll(/\{\w+\}/g, id), undefined, headers)).body.detail;
    const hasOthers = routes.some((other) => other.path === path && other.name !== name);
    expect(await requestDetail([name])).toBe(hasOthers ? "Method Not Allowed" : "Not Found");
    expect(["Method Not Allowed", "Not Found"]).not.toContain(await requestDetail([]));
  });

  test("rejects an unknown name", async () => {
    await expect(start({ without: ["delet"] })).rejects.toThrow(
      /Unknown route "delet" in --without; expected one of .*delete/,
    );
  });
});
