import { createDeployment, docker, start, startDeployment, statusOf } from "../support/emulator";

describe("the request log", () => {
  test("contains all API requests and no admin requests", async () => {
    const client = await start();
    await client.admin("GET", "/health");
    const { id } = await createDeployment(client, docker("agent", { secrets: [{ name: "A", value: "hidden" }] }));
    await client.get(`/v2/deployments/${id}?x=1&x=2`);
    await client.get("/nowhere");
    const { body } = await client.admin("GET", "/request-log");
    expect(body.count).toBe(3);
    const [post, get, nowhere] = body.entries;
    expect(post).toMatchObject({ method: "POST", path: "/v2/deployments", status: 201, fault: null });
    expect(post?.body).toMatchObject({ name: "agent", secrets: [{ name: "A", value: "**********" }] });
    expect(get).toMatchObject({ method: "GET", path: `/v2/deployments/${id}`, query: { x: ["1", "2"] }, status: 200 });
    expect(get?.tenant_id).toEqual(expect.any(String));
    expect(nowhere).toMatchObject({ status: 404, tenant_id: null });
  });

  // @covers 2.request-id
  test("has the request ID of each response, also of a failure and of an injected fault", async () => {
    const client = await start();
    await client.emulator.faults.add({ path: "/v2/deployments", status: 503 });
    const origin = client.emulator.urls.controlPlane;
    const idOf = async (path: string) => {
      const response = await fetch(origin + path, { headers: { "x-api-key": "any" } });
      return [response.status, Number(response.headers.get("x-request-id"))];
    };
    const ids = [await idOf("/v2/deployments"), await idOf("/v2/deployments"), await idOf("/nowhere")];
    expect(ids.map(([status]) => status)).toEqual([503, 200, 404]);
    expect(client.emulator.requestLog.entries().map(({ status, id }) => [status, id])).toEqual(ids);
  });

  test("counts by method and path", async () => {
    const { client, id, latest_revision_id } = await startDeployment();
    for (let time = 0; time < 3; time++) await statusOf(client, id, latest_revision_id);
    const { requestLog } = client.emulator;
    expect(requestLog.count({ method: "get", path: "/v2/deployments/*/revisions/*" })).toBe(3);
    expect(requestLog.count({ path: "/v2/deployments/*" })).toBe(0);
    expect(requestLog.count({ path: "/v2/**" })).toBe(4);
    expect((await client.admin("GET", "/request-log?method=POST&path=/v2/deployments")).body.count).toBe(1);
  });

  test.each([
    [{}, ["/a", "/a/b", "/a/b/c", "/a%5B", "/b/a"]],
    [{ path: "/*/*" }, ["/a/b", "/b/a"]],
    [{ path: "/a%5b" }, []],
    [{ method: "put,Get", path: "/a/b" }, ["/a/b"]],
    [{ method: "ET" }, []],
    [{ status: "404" }, ["/a", "/a%5B", "/b/a"]],
    [{ status: "4xx" }, ["/a", "/a%5B", "/b/a"]],
    [{ status: "5xx" }, ["/a/b"]],
    [{ status: "none" }, ["/a/b/c"]],
    [{ status: "40" }, []],
    [{ status: "never" }, []],
  ])("selects the requests that match %j", async (filter, paths) => {
    const client = await start();
    await client.emulator.faults.add({ path: "/a/b", status: 503 });
    await client.emulator.faults.add({ path: "/a/b/c", connection: "reset-before" });
    for (const path of ["/a", "/a/b", "/a/b/c", "/a%5B", "/b/a"]) await client.get(path).catch(() => {});
    expect(client.emulator.requestLog.entries(filter).map(({ path }) => path)).toEqual(paths);
  });

  test("is also found at the path that it had before", async () => {
    const client = await start();
    await client.get("/v2/deployments");
    expect((await client.admin("GET", "/journal")).body).toEqual((await client.admin("GET", "/request-log")).body);
  });

  test("can be cleared", async () => {
    const client = await start();
    await client.get("/v2/deployments");
    expect((await client.admin("DELETE", "/request-log")).status).toBe(204);
    expect(client.emulator.requestLog.count()).toBe(0);
  });
});
