import { UsageError } from "../../src/index";
import { createDeployment, docker, githost, rolloutMs, start, statusOf } from "../support/emulator";

describe("--strict", () => {
  test.each([
    ["a body field", { revision_source: "x" }, "body.revision_source"],
    ["a read-only field", { tenant_id: null }, "body.tenant_id"],
  ])("rejects %s that a create does not have", async (_: string, change: object, loc: string) => {
    const client = await start({ strict: true });
    const response = await client.post("/v2/deployments", docker("agent", change));
    expect(response).toMatchObject({ status: 422, body: { detail: [{ type: "extra_forbidden" }] } });
    expect(response.body.detail[0]?.loc.join(".")).toBe(loc);
  });

  test("rejects an unknown query parameter", async () => {
    const client = await start({ strict: true });
    const response = await client.get("/v2/deployments?page=2");
    expect(response).toMatchObject({
      status: 422,
      body: { detail: [{ type: "extra_forbidden", loc: ["query", "page"] }] },
    });
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

describe("a resource_spec of another source", () => {
  const resource_spec = { cpu: 1 };

  // @covers 2A.ResourceSpec:source
  test.each([{ strict: true }, { interfaceOnly: true }])(
    "is rejected with %j, on create and on update",
    async (mode) => {
      const client = await start(mode);
      const rejection = {
        status: 422,
        body: { detail: [{ type: "value_error", loc: ["body", "source_config", "resource_spec"] }] },
      };
      expect(await client.post("/v2/deployments", githost("agent", { resource_spec }))).toMatchObject(rejection);
      const { id } = await createDeployment(client, githost("agent"));
      expect(await client.patch(`/v2/deployments/${id}`, { source_config: { resource_spec } })).toMatchObject(
        rejection,
      );
    },
  );

  test("is tolerated by default, with a note in the request log", async () => {
    const client = await start();
    const { source_config } = await createDeployment(client, githost("agent", { resource_spec }));
    expect(source_config.resource_spec).toMatchObject(resource_spec);
    const [{ notes } = { notes: [] }] = client.emulator.requestLog.entries({ method: "POST" });
    expect(notes).toEqual(["body.source_config.resource_spec applies to source 'external_docker' only"]);
  });
});

describe("--interface-only", () => {
  test.each([
    ["DELETE", "", 405],
    ["GET", "/revisions", 404],
    ["POST", "/revisions", 404],
    ["POST", "/revisions/$/redeploy", 404],
    ["POST", "/revisions/$/interrupt", 404],
    ["GET", "/revisions/$/logs?type=deploy", 404],
    ["POST", "/upload-url", 404],
    ["POST", "/push-token", 404],
  ])("does not provide %s /v2/deployments/{id}%s", async (method, path, status) => {
    const client = await start({ interfaceOnly: true });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    const response = await client.send(method, `/v2/deployments/${id}${path.replace("$", latest_revision_id)}`);
    expect(response.status).toBe(status);
    expect(["Not Found", "Method Not Allowed"]).toContain(response.body.detail);
  });

  // @covers 2A.Revision
  test("returns only the revision fields of the interface", async () => {
    const client = await start({ interfaceOnly: true });
    const { id, latest_revision_id, source_revision_config } = await createDeployment(client, docker("agent"));
    const { body } = await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}`);
    expect(body).toEqual({ id: latest_revision_id, status: "CREATING", source_revision_config });
  });

  test("supports the quick start, and ignores an exact name in the list", async () => {
    const client = await start({ interfaceOnly: true });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    await client.advance(rolloutMs);
    expect(await statusOf(client, id, latest_revision_id)).toBe("DEPLOYED");
    expect((await client.get("/v2/deployments?name=other")).body.resources).toHaveLength(1);
  });

  test("enforces only the rules of the interface", async () => {
    const client = await start({ interfaceOnly: true });
    await createDeployment(client, docker("My Agent"));
    const response = await client.post("/v2/deployments", docker("agent", { source_config: { repo_url: "x" } }));
    expect(response.status).toBe(422);
  });

  test("cannot be combined with --strict", async () => {
    await expect(start({ interfaceOnly: true, strict: true })).rejects.toThrow(UsageError);
  });
});

describe("--without", () => {
  test("removes routes that an older server does not have", async () => {
    const client = await start({ without: ["delete", "redeploy", "revisions-post", "logs"] });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    const path = `/v2/deployments/${id}`;
    expect(await client.remove(path)).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
    expect((await client.post(`${path}/revisions`, { source_revision_config: {} })).status).toBe(405);
    const redeploy = await client.post(`${path}/revisions/${latest_revision_id}/redeploy`);
    expect(redeploy).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    expect((await client.get(`${path}/revisions/${latest_revision_id}/logs?type=deploy`)).status).toBe(404);
  });

  test.each([
    ["delete-many", "DELETE", "/v2/deployments?deployment_ids=$id", 405],
    ["upload-url", "POST", "/deployments/$id/upload-url", 404],
    ["upload-url-v2", "POST", "/v2/deployments/$id/upload-url", 404],
    ["push-token", "POST", "/v2/deployments/$id/push-token", 404],
    ["repositories", "GET", "/v1/integrations/githost/$id/repos", 404],
    ["build-logs-v1", "POST", "/v1/projects/$id/revisions/$id/build_logs", 404],
    ["deploy-logs-v1", "POST", "/v1/projects/$id/revisions/$id/deploy_logs", 404],
    ["project-logs-v1", "POST", "/v1/projects/$id/deploy_logs", 404],
    ["agent-ok", "GET", "/agents/$id/ok", 404],
  ])("%s removes %s %s", async (name, method, path, status) => {
    const id = "00000000-0000-4000-8000-000000000000";
    const requestDetail = async (without: string[]) =>
      (await (await start({ without })).send(method, path.replaceAll("$id", id))).body.detail;
    const [withRoute, withoutRoute] = [await requestDetail([]), await requestDetail([name])];
    expect(withoutRoute).toBe(status === 405 ? "Method Not Allowed" : "Not Found");
    // The detail shows whether the route or the object is missing, except on an agent server, which has one text for
    // both.
    if (name !== "agent-ok") expect(withRoute).not.toBe(withoutRoute);
  });

  test.each([
    ["destination-list", "GET", "/destinations", 405],
    ["destination", "GET", "/destinations/$id", 405],
    ["destination-patch", "PATCH", "/destinations/$id", 405],
    ["destination-delete", "DELETE", "/destinations/$id", 405],
    ["export-list", "GET", "", 405],
    ["export-cancel", "PATCH", "/$id", 405],
    ["export-runs", "GET", "/$id/runs", 404],
    ["export-run", "GET", "/$id/runs/$id", 404],
    ["spawned-runs", "GET", "/runs?source_bulk_export_id=$id", 404],
  ])("%s removes %s /api/v1/bulk-exports%s", async (name, method, path, status) => {
    const id = "00000000-0000-4000-8000-000000000000";
    const requestDetail = async (without: string[]) => {
      const { send } = await start({ without });
      const fullApi = `/api/v1/bulk-exports${path.replaceAll("$id", id)}`;
      return (await send(method, fullApi, undefined, { "x-api-key": "k", "x-tenant-id": id })).body.detail;
    };
    const [withRoute, withoutRoute] = [await requestDetail([]), await requestDetail([name])];
    expect(withoutRoute).toBe(status === 405 ? "Method Not Allowed" : "Not Found");
    expect(withRoute).not.toBe(withoutRoute);
  });

  test("rejects an unknown name", async () => {
    await expect(start({ without: ["delet"] })).rejects.toThrow(
      /Unknown route "delet" in --without; expected one of .*delete/,
    );
  });
});

describe("--edition", () => {
  // @covers 2A.Deployment.source:editions
  test.each([
    ["cloud", "external_docker"],
    ["self-hosted", "internal_docker"],
  ] as const)("%s does not support source %s", async (edition, source) => {
    const client = await start({ edition });
    const response = await client.post("/v2/deployments", docker("agent", { source, source_config: {} }));
    expect(response).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "source"] }] } });
  });
});
