import { createDeployment, docker, rolloutMs, start, statuses, statusOf } from "../support/emulator";

describe("the clock", () => {
  test("stops when it is frozen, and no job runs", async () => {
    const client = await start();
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    const first = (await client.admin("GET", "/clock")).body;
    expect(first).toMatchObject({ frozen: true });
    expect(await statusOf(client, id, latest_revision_id)).toBe("CREATING");
    expect((await client.admin("GET", "/clock")).body).toEqual(first);
  });

  test("advances, running due jobs in order, each at its own due time", async () => {
    const client = await start();
    const { id, latest_revision_id, created_at } = await createDeployment(client, docker("agent"));
    const response = await client.admin("POST", "/clock", { advance_ms: 3_600_000 });
    expect(response.body).toMatchObject({ now: new Date(Date.parse(created_at) + 3_600_000).toISOString() });
    const path = `/v2/deployments/${id}/revisions/${latest_revision_id}`;
    const { updated_at } = (await client.get(path)).body as unknown as { updated_at: string };
    expect(Date.parse(updated_at) - Date.parse(created_at)).toBe(2800);
  });

  test("freezes and resumes over HTTP", async () => {
    const client = await start({ speed: 1 });
    expect((await client.admin("POST", "/clock", { frozen: true })).body).toMatchObject({ frozen: true });
    expect((await client.admin("POST", "/clock", { frozen: false })).body).toMatchObject({ frozen: false });
  });

  test("determines the Date header and every timestamp", async () => {
    const client = await start();
    await client.advance(86_400_000);
    const { now } = client.emulator.clock.read();
    const body = await createDeployment(client, docker("agent"));
    expect(body.created_at).toBe(now);
    const response = await client.get("/v2/deployments");
    expect(Date.parse(response.headers.get("date") ?? "")).toBe(Math.floor(Date.parse(now) / 1000) * 1000);
    const missing = await client.get("/v2/nothing");
    expect(missing.headers.get("date")).toBe(response.headers.get("date"));
  });

  test("runs all jobs before the response with speed instant", async () => {
    const client = await start({ speed: "instant" });
    const { id } = await createDeployment(client, docker("agent"));
    expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
    await client.remove(`/v2/deployments/${id}`);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(404);
  });

  test("runs faster with a speed factor, without further calls", async () => {
    const client = await start({ speed: 200 });
    const { id } = await createDeployment(client, docker("agent"));
    const deadline = Date.now() + 5000;
    while ((await statuses(client, id))[0] !== "DEPLOYED") expect(Date.now()).toBeLessThan(deadline);
  });
});

describe("the request log", () => {
  test("contains all API requests and no admin requests", async () => {
    const client = await start();
    await client.admin("GET", "/health");
    const { id } = await createDeployment(client, docker("agent", { secrets: [{ name: "A", value: "hidden" }] }));
    await client.get(`/v2/deployments/${id}?x=1&x=2`);
    await client.get("/nowhere");
    const { body } = await client.admin("GET", "/journal");
    expect(body.count).toBe(3);
    const [post, get, nowhere] = body.entries;
    expect(post).toMatchObject({ method: "POST", path: "/v2/deployments", status: 201, fault: null });
    expect(post?.body).toMatchObject({ name: "agent", secrets: [{ name: "A", value: "**********" }] });
    expect(get).toMatchObject({ method: "GET", path: `/v2/deployments/${id}`, query: { x: ["1", "2"] }, status: 200 });
    expect(get?.tenant_id).toEqual(expect.any(String));
    expect(nowhere).toMatchObject({ status: 404, tenant_id: null });
  });

  test("counts by method and path", async () => {
    const client = await start();
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    for (let time = 0; time < 3; time++) await statusOf(client, id, latest_revision_id);
    const { journal } = client.emulator;
    expect(journal.count({ method: "get", path: "/v2/deployments/*/revisions/*" })).toBe(3);
    expect(journal.count({ path: "/v2/deployments/*" })).toBe(0);
    expect(journal.count({ path: "/v2/**" })).toBe(4);
    expect((await client.admin("GET", "/journal?method=POST&path=/v2/deployments")).body.count).toBe(1);
  });

  test("notes unknown fields, which are ignored by default", async () => {
    const client = await start();
    const { id } = await createDeployment(client, docker("agent"));
    const response = await client.patch(`/v2/deployments/${id}`, {
      revision_source: "cli",
      source_config: { tracked: 1 },
    });
    expect(response.status).toBe(200);
    expect(client.emulator.journal.entries({ method: "PATCH" })[0]?.notes).toEqual([
      "body.source_config.tracked is unknown and ignored",
      "body.revision_source is unknown and ignored",
    ]);
  });

  test("can be cleared", async () => {
    const client = await start();
    await client.get("/v2/deployments");
    expect((await client.admin("DELETE", "/journal")).status).toBe(204);
    expect(client.emulator.journal.count()).toBe(0);
  });
});

describe("an out-of-band change", () => {
  test.each(["UNUSED", "UNKNOWN", "READY", "AWAITING_DATABASE"])("sets the status %s", async (status) => {
    const client = await start();
    const { id } = await createDeployment(client, docker("agent"));
    await client.advance(rolloutMs);
    expect((await client.admin("PATCH", `/deployments/${id}`, { status })).status).toBe(200);
    expect((await client.get(`/v2/deployments/${id}`)).body.status).toBe(status);
  });

  // @covers 2A.Deployment.is_managed_deep_agent
  test("updates a deployment without creating a revision", async () => {
    const client = await start();
    const { id } = await createDeployment(client, docker("agent"));
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
    const client = await start();
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
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

  test("deletes a deployment immediately", async () => {
    const client = await start();
    const { id } = await createDeployment(client, docker("agent"));
    expect((await client.admin("DELETE", `/deployments/${id}`)).status).toBe(204);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(404);
  });

  test("deletes a listener", async () => {
    const client = await start();
    await client.admin("DELETE", "/listeners/22222222-2222-4222-8222-222222222222");
    expect((await client.get("/v2/listeners")).body.resources).toEqual([]);
  });
});

describe("a seed", () => {
  test("creates deployments in any status", async () => {
    const client = await start();
    const seeded = [
      { name: "old", status: "UNUSED", created_at: "2020-01-01T00:00:00Z" },
      { name: "broken", revision_status: "DEPLOY_FAILED" },
      { name: "leaving", status: "AWAITING_DELETE", revision_status: null },
    ];
    const response = await client.admin("POST", "/seed", { deployments: seeded });
    expect(response.status).toBe(201);
    const { resources } = (await client.get("/v2/deployments")).body;
    expect(resources.map(({ name, status }) => [name, status])).toEqual([
      ...[
        ["leaving", "AWAITING_DELETE"],
        ["broken", "READY"],
        ["old", "UNUSED"],
      ],
    ]);
    expect(resources[2]?.created_at).toBe("2020-01-01T00:00:00.000Z");
    expect(resources[1]?.active_revision_id).toBeNull();
    expect(resources[0]?.latest_revision_id).toBeNull();
  });

  test("with an invalid value is rejected completely", async () => {
    const client = await start();
    const response = await client.admin("POST", "/seed", { deployments: [{ name: "a" }, { nam: "b" }] });
    expect(response.status).toBe(422);
    expect((await client.get("/v2/deployments")).body.resources).toEqual([]);
  });

  test("creates listeners", async () => {
    const client = await start();
    await client.emulator.seed({ listeners: [{ compute_config: { k8s_namespaces: ["team"] } }] });
    expect((await client.get("/v2/listeners")).body.resources).toHaveLength(2);
  });

  test("a reset restores the initial state", async () => {
    const client = await start();
    await createDeployment(client, docker("agent"));
    await client.emulator.faults.add({ status: 500, times: 9, path: "/v2/deployments" });
    await client.admin("POST", "/reset");
    expect((await client.get("/v2/deployments")).body.resources).toEqual([]);
    expect((await client.get("/v2/listeners")).body.resources).toHaveLength(1);
    expect((await client.admin("GET", "/clock")).body).toMatchObject({ frozen: false });
  });
});

test("health describes the running emulator", async () => {
  const client = await start({ strict: true });
  const { body } = await client.admin("GET", "/health");
  expect(body).toMatchObject({ status: "ok", version: "0.1.0", pid: process.pid, mode: "strict", edition: "any" });
});

test("an admin request body with an unknown field is rejected", async () => {
  const client = await start();
  expect((await client.admin("POST", "/clock", { advance: 5 })).status).toBe(422);
  expect((await client.admin("POST", "/faults", { statuss: 5 })).status).toBe(422);
});

test("an admin path returns 405 with the allowed methods for another method, and an unknown path returns 404", async () => {
  const client = await start();
  const wrong = await client.admin("PUT", "/clock");
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, POST"]);
  expect((await client.admin("GET", "/nothing")).status).toBe(404);
});

test("an admin route responds to HEAD as to GET, without the body", async () => {
  const { emulator } = await start();
  const response = await fetch(`${emulator.urls.admin}/health`, { method: "HEAD" });
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

test("a bucket may have a name that is reserved in paths of the platform", async () => {
  const client = await start();
  expect((await client.admin("PUT", "/buckets/runs")).status).toBe(201);
  expect((await client.admin("DELETE", "/buckets/runs")).status).toBe(204);
});

test("an admin request appears neither in the request log nor in /openapi.json, and no fault affects it", async () => {
  const client = await start();
  await client.admin("POST", "/faults", { status: 500 });
  expect((await client.admin("GET", "/clock")).status).toBe(200);
  const { body } = await client.get("/openapi.json");
  expect(body).not.toHaveProperty("paths");
  const { body: described } = await client.get("/openapi.json");
  const { paths } = described as unknown as { paths: object };
  expect(Object.keys(paths).filter((path) => path.startsWith("/_emulator"))).toEqual([]);
  expect(client.emulator.journal.count({ path: "/_emulator/**" })).toBe(0);
});
