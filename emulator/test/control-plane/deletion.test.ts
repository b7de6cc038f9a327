import { createDeployment, docker, rolloutMs, start, startDeployment } from "../support/emulator";
import { expectError } from "../support/rejections";

const unknownId = "00000000-0000-4000-8000-000000000000";

describe("deleting several deployments", () => {
  const query = (ids: string[]) => `/v2/deployments?${ids.map((id) => `deployment_ids=${id}`).join("&")}`;

  // @covers 4A.DELETE /v2/deployments
  test("starts all deletions", async () => {
    const client = await start({ strict: true });
    const ids = [];
    for (const name of ["one", "two", "three"]) ids.push((await createDeployment(client, docker(name))).id);
    const [one = "", two = "", three = ""] = ids;
    expect(await client.remove(query([one, two, one]))).toMatchObject({
      status: 200,
      body: { deleted: [one, two], failed: [] },
    });
    expect((await client.get(`/v2/deployments/${two}`)).body.status).toBe("AWAITING_DELETE");
    await client.advance(rolloutMs);
    expect((await client.get("/v2/deployments")).body.resources.map(({ id }) => id)).toEqual([three]);
  });

  // @covers 4A.DELETE /v2/deployments
  test("returns 207 if some do not exist, and 404 if none does", async () => {
    const { client, id } = await startDeployment({ strict: true }, docker("one"));
    const failed = [{ id: unknownId, detail: `Deployment ${unknownId} not found` }];
    expect(await client.remove(query([id, unknownId]))).toMatchObject({ status: 207, body: { deleted: [id], failed } });
    expectError(await client.remove(query([unknownId])), 404, `Deployment ${unknownId} not found`);
  });

  test("does not affect another workspace", async () => {
    const { client, id } = await startDeployment({ strict: true }, docker("one"));
    const other = { "x-api-key": "k", "x-tenant-id": "aaaaaaaa-0000-4000-8000-000000000001" };
    expect((await client.send("DELETE", query([id]), undefined, other)).status).toBe(404);
    expect((await client.get(`/v2/deployments/${id}`)).body.status).not.toBe("AWAITING_DELETE");
  });

  test("accepts 1 to 100 IDs", async () => {
    const client = await start({ strict: true });
    expectError(await client.remove("/v2/deployments"), 422, [{ type: "missing", loc: ["query", "deployment_ids"] }]);
    const msg = "List should have at most 100 items after validation, not 101";
    const ctx = { field_type: "List", max_length: 100, actual_length: 101 };
    const tooLong = { type: "too_long", loc: ["query", "deployment_ids"], msg, ctx };
    expectError(await client.remove(query(Array(101).fill(unknownId))), 422, [tooLong]);
    expect((await client.remove(query(Array(100).fill(unknownId)))).status).toBe(404);
    const invalid = [{ type: "uuid_parsing", loc: ["query", "deployment_ids", 0] }];
    expectError(await client.remove(query(["x"])), 422, invalid);
  });
});
