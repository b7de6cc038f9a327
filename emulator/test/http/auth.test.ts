import { defaultTenantId } from "../../src/index";
import { docker, start } from "../support/emulator";

const one = "aaaaaaaa-0000-4000-8000-000000000001";
const two = "aaaaaaaa-0000-4000-8000-000000000002";

describe("credentials", () => {
  // @covers 5.item 1, 5.item 1:alternatives, 5.item 1:missing
  test("are required, and checked before the request", async () => {
    const client = await start({ strict: true });
    const none = await client.send("GET", "/v2/deployments", undefined, {});
    expect(none).toMatchObject({ status: 401, body: { detail: "Not authenticated" } });
    expect((await client.send("GET", "/v2/deployments", undefined, { "x-tenant-id": one })).status).toBe(401);
    expect((await client.send("POST", "/v2/deployments", {}, {})).status).toBe(401);
  });

  // @covers 5.item 1:alternatives, 5.item 1:bearer
  test.each([
    ["a key", { "X-API-KEY": "k" }],
    ["a key with a tenant", { "x-api-key": "k", "X-Tenant-Id": one }],
    ["a bearer token", { authorization: "Bearer t" }],
    ["a bearer token with a tenant", { Authorization: "bearer t", "x-tenant-id": one }],
  ])("may be %s", async (_: string, headers: Record<string, string>) => {
    expect((await (await start({ strict: true })).send("GET", "/v2/deployments", undefined, headers)).status).toBe(200);
  });

  // @covers 5.item 1
  test("that are wrong get 403 with --api-key", async () => {
    const client = await start({ apiKey: "right" });
    const get = async (headers: Record<string, string>) =>
      (await client.send("GET", "/v2/deployments", undefined, headers)).status;
    expect(await get({ "x-api-key": "wrong" })).toBe(403);
    expect(await get({ authorization: "Bearer wrong" })).toBe(403);
    expect(await get({ "x-api-key": "right" })).toBe(200);
    expect(await get({ authorization: "Bearer right" })).toBe(200);
  });
});

describe("workspaces", () => {
  // @covers 2A.Deployment.tenant_id, 5.item 1:alternatives
  test("are isolated from each other", async () => {
    const client = await start({ strict: true });
    const headersOfOne = { "x-api-key": "k", "x-tenant-id": one };
    const headersOfTwo = { "x-api-key": "k", "x-tenant-id": two };
    const { body } = await client.send("POST", "/v2/deployments", docker("agent"), headersOfOne);
    expect(body.tenant_id).toBe(one);
    expect((await client.send("GET", "/v2/deployments", undefined, headersOfTwo)).body.resources).toEqual([]);
    for (const [method, change] of [["GET"], ["PATCH", {}], ["DELETE"]] as const)
      expect((await client.send(method, `/v2/deployments/${body.id}`, change, headersOfTwo)).status).toBe(404);
    expect((await client.send("POST", "/v2/deployments", docker("agent"), headersOfTwo)).status).toBe(201);
  });

  test("are named by a UUID, and include a default one for API keys without a workspace", async () => {
    const client = await start({ strict: true });
    expect((await client.post("/v2/deployments", docker("agent"))).body.tenant_id).toBe(defaultTenantId);
    const detail = [{ type: "uuid_parsing", loc: ["header", "x-tenant-id"] }];
    const headers = { "x-api-key": "k", "x-tenant-id": "mine" };
    const response = await client.send("GET", "/v2/deployments", undefined, headers);
    expect(response).toMatchObject({ status: 422, body: { detail } });
  });

  // @covers 5.item 4:scope, 5.item 4:scope-error
  test("must be named by requests with an organization-wide API key", async () => {
    const client = await start();
    await client.emulator.seed({ keys: [{ key: "org", organization: true }] });
    const none = await client.send("GET", "/v2/deployments", undefined, { "x-api-key": "org" });
    expect([none.status, none.body.detail]).toEqual([403, expect.stringContaining("requires workspace specification")]);
    const named = await client.send("GET", "/v2/deployments", undefined, { "x-api-key": "org", "x-tenant-id": one });
    expect(named.status).toBe(200);
  });

  // @covers 4C.GET /api/v1/workspaces
  test("are listed by a request that names none, as far as its API key can see them", async () => {
    const client = await start({ strict: true });
    const keys = [
      { key: "one", workspaces: [one] },
      { key: "both", workspaces: [one, two] },
      { key: "org", organization: true },
    ];
    await client.emulator.seed({ workspaces: [{ id: one, name: "Team A" }], keys });
    const list = async (key?: string) =>
      client.send("GET", "/api/v1/workspaces", undefined, key ? { "x-api-key": key } : {});
    const first = { id: one, display_name: "Team A" };
    expect(await list("one")).toMatchObject({ status: 200, body: [first] });
    expect((await list("both")).body).toEqual([first, { id: two, display_name: two }]);
    expect((await list("org")).body).toContainEqual(first);
    expect([(await list()).status, (await list("stranger")).status]).toEqual([401, 403]);
  });

  // @covers 5.item 4, 5.item 4:scope
  test("are accessible only with their API keys, until the keys expire", async () => {
    const client = await start();
    const expires_at = new Date(Date.parse(client.emulator.clock.read().now) + 60_000).toISOString();
    await client.emulator.seed({ keys: [{ key: "k", workspaces: [one], expires_at }] });
    const get = async (headers: Record<string, string>) =>
      (await client.send("GET", "/v2/deployments", undefined, headers)).status;
    expect(await get({ "x-api-key": "k" })).toBe(200);
    expect(await get({ "x-api-key": "k", "x-tenant-id": two })).toBe(403);
    expect(await get({ "x-api-key": "stranger" })).toBe(403);
    await client.advance(60_000);
    expect(await get({ "x-api-key": "k" })).toBe(401);
  });
});
