import { start } from "../support/emulator";

test("health describes the running emulator", async () => {
  const { body } = await (await start({ strict: true })).admin("GET", "/health");
  expect(body).toMatchObject({ status: "ok", version: "0.1.0", pid: process.pid, mode: "strict", edition: "any" });
});

test("an admin request body with an unknown field is rejected", async () => {
  const client = await start();
  expect((await client.admin("POST", "/clock", { advance: 5 })).status).toBe(422);
  expect((await client.admin("POST", "/faults", { statuss: 5 })).status).toBe(422);
});

test("an admin path returns 405 with the allowed methods for another method, an unknown path 404", async () => {
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
  expect((await client.get("/openapi.json")).status).toBe(500);
  const { paths } = (await client.get("/openapi.json")).body as unknown as { paths: object };
  expect(Object.keys(paths).filter((path) => path.startsWith("/_emulator"))).toEqual([]);
  expect(client.emulator.requestLog.count({ path: "/_emulator/**" })).toBe(0);
});
