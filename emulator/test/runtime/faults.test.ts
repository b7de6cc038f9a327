import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commonFaultFields, faultFields } from "../../src/runtime/fault-fields";
import { createDeployment, docker, githost, rolloutMs, start, statuses, statusOf } from "../support/emulator";

describe("a fault of a request", () => {
  test("responds with a status, body and headers without executing the request, `times` times", async () => {
    const client = await start();
    const slowDown = { status: 429, body: { detail: "slow down" }, headers: { "Retry-After": "3" } };
    await client.admin("POST", "/faults", { method: "POST", path: "/v2/deployments", times: 2, ...slowDown });
    for (let time = 0; time < 2; time++) {
      const response = await client.post("/v2/deployments", docker("agent"));
      expect(response).toMatchObject({ status: 429, body: { detail: "slow down" } });
      expect(response.headers.get("retry-after")).toBe("3");
    }
    expect((await client.get("/v2/deployments")).body.resources).toEqual([]);
    expect((await client.post("/v2/deployments", docker("agent"))).status).toBe(201);
  });

  test("can respond with HTML, as a proxy would", async () => {
    const client = await start();
    await client.emulator.faults.add({ status: 502, body: "<h1>Bad Gateway</h1>" });
    const response = await client.get("/v2/deployments");
    expect(response).toMatchObject({ status: 502, body: "<h1>Bad Gateway</h1>" });
    expect(response.headers.get("content-type")).toBe("text/html");
  });

  test("can execute the request and respond with a status", async () => {
    const client = await start();
    await client.emulator.faults.add({ status: 502, act: true });
    expect((await client.post("/v2/deployments", docker("agent"))).status).toBe(502);
    expect((await client.get("/v2/deployments")).body.resources).toHaveLength(1);
  });

  test.each([
    ["refuse", 0],
    ["reset-before", 0],
    ["reset-after", 1],
  ] as const)("closes the connection with %s and leaves %i deployments", async (connection, count) => {
    const client = await start();
    await client.emulator.faults.add({ method: "POST", connection });
    await expect(client.post("/v2/deployments", docker("agent"))).rejects.toThrow("fetch failed");
    const [entry] = client.emulator.requestLog.entries({ method: "POST" });
    expect(entry).toMatchObject({ status: null, fault: connection });
    expect((await client.get("/v2/deployments")).body.resources).toHaveLength(count);
  });

  test("applies only to matching requests, after those it skips", async () => {
    const client = await start();
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    await client.emulator.faults.add({ method: "get", path: "/v2/deployments/*", skip: 1, status: 503 });
    await client.patch(`/v2/deployments/${id}`, {});
    await statusOf(client, id, latest_revision_id);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(200);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(503);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(200);
  });

  test("can be listed and removed before it occurs", async () => {
    const client = await start();
    const { body } = await client.admin("POST", "/faults", { status: 500, path: "/v2/**" });
    expect((await client.admin("GET", "/faults")).body).toEqual({
      faults: [{ id: body.id, status: 500, path: "/v2/**", times: 1, skip: 0 }],
    });
    expect((await client.admin("DELETE", `/faults/${body.id}`)).status).toBe(204);
    expect((await client.admin("DELETE", `/faults/${body.id}`)).status).toBe(404);
    expect((await client.get("/v2/deployments")).status).toBe(200);
  });
});

test.each([
  ["nothing", {}],
  ["only a body", { body: "x" }],
  ["a status and a connection", { status: 500, connection: "refuse" }],
  ["a revision and a hold", { revision: { ends: "SKIPPED" }, hold: { status: "QUEUED" } }],
  ["a revision and a path", { revision: { ends: "SKIPPED" }, path: "/v2/**" }],
  ["a revision without an end", { revision: { logs: ["x"] } }],
  ["a revision with two sequences", { revision: { ends: "SKIPPED", statuses: ["QUEUED"] } }],
  ["an invalid log line", { revision: { ends: "DEPLOY_FAILED", logs: [{ message: "x" }] } }],
  ["an invalid header", { status: 500, headers: { "a b": "x" } }],
  ["a header of two lines", { status: 500, headers: { "X-Trace": "a\nb" } }],
  ["an unknown connection", { connection: "slow" }],
  ["a day in another form", { export_run: { day: "2026-1-31", stalls: true } }],
])("a fault with %s is rejected", async (_: string, fault: object) => {
  const client = await start();
  expect((await client.admin("POST", "/faults", fault)).status).toBe(422);
  expect(client.emulator.faults.list()).toEqual([]);
});

test.each([
  ["ends", { revision: { ends: "DEPLOY_FAILD" } }, "DEPLOY_FAILED"],
  ["statuses", { revision: { statuses: ["QUEUED", "depolying", "DEPLOYED"] } }, "DEPLOYING"],
  ["hold", { hold: { status: "DEPLOYIN" } }, "DEPLOYING"],
  ["method", { method: "PSOT", status: 503 }, "POST"],
])("a fault with a typo in %s is rejected with a suggestion", async (_, fault: object, suggestion) => {
  const client = await start();
  const response = await client.admin("POST", "/faults", fault);
  const detail = expect.stringContaining(`did you mean ${suggestion}?`);
  expect(response).toMatchObject({ status: 422, body: { detail } });
  expect(client.emulator.faults.list()).toEqual([]);
});

test("a fault that ends a revision in an unknown status is rejected with the known ones", async () => {
  const { status, body } = await (await start()).admin("POST", "/faults", { revision: { ends: "BROKEN" } });
  expect(status).toBe(422);
  expect(body.detail).toMatch(
    /^"BROKEN" is not a revision status; expected one of CREATING, .* Use "statuses" for other values$/,
  );
});

test("a fault path with thirty wildcards is matched quickly against any path", async () => {
  const client = await start();
  const path = `/${"*a".repeat(30)}b`;
  await client.emulator.faults.add({ path, status: 503 });
  expect((await client.get(`/${"a".repeat(2000)}`)).status).toBe(404);
  expect(client.emulator.requestLog.count({ path })).toBe(0);
  expect(client.emulator.requestLog.count({ path: path.slice(0, -1) })).toBe(1);
});

test("a fault that delays longer than a timer can wait is rejected: it would not delay at all", async () => {
  const client = await start();
  const response = await client.admin("POST", "/faults", { delay_ms: 1e12 });
  const detail = "delay_ms must be at most 86400000, which is a day";
  expect(response).toMatchObject({ status: 422, body: { detail } });
  await expect(client.emulator.faults.add({ delay_ms: 86_400_001 })).rejects.toThrow("delay_ms must be at most");
  expect((await client.admin("POST", "/faults", { delay_ms: 86_400_000 })).status).toBe(201);
});

describe("a fault of a revision", () => {
  const ends = ["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "INTERRUPTED", "SKIPPED", "UNKNOWN"];
  test.each(ends)("ends it in %s", async (ends) => {
    const client = await start();
    await client.emulator.faults.add({ revision: { ends } });
    const { id, active_revision_id } = await createDeployment(client, githost("agent"), rolloutMs);
    expect(await statuses(client, id)).toEqual([ends]);
    expect(active_revision_id).toBeNull();
  });

  test("can apply to one deployment and one revision only", async () => {
    const client = await start();
    await client.emulator.faults.add({ revision: { deployment: "two", ends: "DEPLOY_FAILED" } });
    const one = await createDeployment(client, docker("one"));
    const two = await createDeployment(client, docker("two"), rolloutMs);
    await client.post(`/v2/deployments/${two.id}/revisions/${two.latest_revision_id}/redeploy`);
    await client.advance(rolloutMs);
    expect(await statuses(client, one.id)).toEqual(["DEPLOYED"]);
    expect(await statuses(client, two.id)).toEqual(["DEPLOY_FAILED", "DEPLOYED"]);
  });

  // @covers 3.item 2
  test("can pass through any statuses, even unknown ones", async () => {
    const client = await start();
    const steps = ["QUEUED", "INTERRUPTED", "WARMING_UP", "DEPLOYED"];
    await client.emulator.faults.add({ revision: { statuses: steps } });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    const observedStatuses = new Set<string>();
    for (let time = 0; time < rolloutMs; time += 100) {
      observedStatuses.add(await statusOf(client, id, latest_revision_id));
      await client.advance(100);
    }
    expect([...observedStatuses]).toEqual(["CREATING", ...steps]);
    expect((await client.get(`/v2/deployments/${id}`)).body.active_revision_id).toBe(latest_revision_id);
  });
});

test("a hold stops revisions at a status until it is deleted", async () => {
  const client = await start();
  const { body } = await client.admin("POST", "/faults", { hold: { status: "DEPLOYING", deployment: "one" } });
  const one = await createDeployment(client, docker("one"));
  const two = await createDeployment(client, docker("two"), rolloutMs);
  expect(await statuses(client, one.id)).toEqual(["DEPLOYING"]);
  expect(await statuses(client, two.id)).toEqual(["DEPLOYED"]);
  await client.admin("DELETE", `/faults/${body.id}`);
  await client.advance(rolloutMs);
  expect(await statuses(client, one.id)).toEqual(["DEPLOYED"]);
});

test("the README shows every field of the table of faults", () => {
  const readme = readFileSync(join(__dirname, "../../README.md"), "utf8");
  const [, section = ""] = /\n### Faults\n(.*?)\n### /s.exec(readme) ?? [];
  const names = [...Object.values(faultFields), commonFaultFields].flatMap((fields) => Object.keys(fields));
  expect(names.filter((name) => !new RegExp(`["\`]${name}["\`]`).test(section))).toEqual([]);
});
