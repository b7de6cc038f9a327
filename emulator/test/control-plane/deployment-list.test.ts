import fc from "fast-check";
import { type Client, createDeployment, docker, githost, start } from "../support/emulator";

async function listNames(client: Client, query: string): Promise<string[]> {
  const { status, body } = await client.get(`/v2/deployments?${query}`);
  expect(status).toBe(200);
  return body.resources.map((deployment) => deployment.name);
}

describe("the list", () => {
  // @covers 2A.DeploymentsList, 2A.DeploymentsList.offset, 4A.GET /v2/deployments.limit, 4A.GET /v2/deployments:200
  // @covers 8.Deployment list page size
  test("contains 20 deployments by default, and its offset leads to the next page", async () => {
    const client = await start({ strict: true });
    for (let index = 0; index < 23; index++) await createDeployment(client, docker(`agent-${index}`));
    const first = (await client.get("/v2/deployments")).body;
    expect(first.resources).toHaveLength(20);
    expect(first.offset).toBe(20);
    const second = (await client.get(`/v2/deployments?offset=${first.offset}`)).body;
    expect(second.resources).toHaveLength(3);
    expect(second.offset).toBe(23);
  });

  // @covers 2A.DeploymentsList.resources, 2A.DeploymentsList.offset, 4.list-order, 4A.GET /v2/deployments
  // @covers 4A.GET /v2/deployments.offset
  test("returns every deployment once, newest first, for every page size", async () => {
    const client = await start({ strict: true });
    const all: string[] = [];
    for (let index = 0; index < 12; index++)
      all.unshift((await createDeployment(client, docker(`agent-${index}`))).name);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (limit) => {
        const listed: string[] = [];
        for (let offset = 0; ; ) {
          const { body } = await client.get(`/v2/deployments?limit=${limit}&offset=${offset}`);
          listed.push(...body.resources.map((deployment) => deployment.name));
          if (body.resources.length < limit) break;
          expect(body.offset).toBe(offset + body.resources.length);
          offset = body.offset;
        }
        expect(listed).toEqual(all);
      }),
      { numRuns: 15 },
    );
  });

  // @covers 2A.ValidationError.ctx, 4A.GET /v2/deployments.limit, 4A.GET /v2/deployments.offset
  // @covers 4A.GET /v2/deployments:422, 8.Deployment list page size, 8.Deployment list offset
  test.each([
    ["limit=0", "limit", "greater_than_equal", "Input should be greater than or equal to 1", { ge: 1 }, "0"],
    ["limit=101", "limit", "less_than_equal", "Input should be less than or equal to 100", { le: 100 }, "101"],
    ["offset=-1", "offset", "greater_than_equal", "Input should be greater than or equal to 0", { ge: 0 }, "-1"],
  ])("rejects %s as FastAPI does", async (query, field, type, msg, ctx, input) => {
    const response = await (await start({ strict: true })).get(`/v2/deployments?${query}`);
    expect(response).toMatchObject({ status: 422 });
    expect(response.body).toEqual({ detail: [{ type, loc: ["query", field], msg, input, ctx }] });
  });

  // @covers 4A.GET /v2/deployments.name_contains, 4A.GET /v2/deployments.name
  test("filters by part of the name, and on newer servers by the exact name", async () => {
    const client = await start({ strict: true });
    for (const name of ["chat", "chat-two", "search"]) await createDeployment(client, docker(name));
    expect(await listNames(client, "name_contains=chat")).toEqual(["chat-two", "chat"]);
    expect(await listNames(client, "name=chat")).toEqual(["chat"]);
  });

  // @covers 4A.GET /v2/deployments.deployment_type, 4A.GET /v2/deployments.deployment_ids
  test("filters by deployment type and by IDs", async () => {
    const client = await start({ strict: true });
    const git = await createDeployment(client, githost("git", { deployment_type: "prod" }));
    const other = await createDeployment(client, docker("other"));
    await createDeployment(client, docker("third"));
    expect(await listNames(client, "deployment_type=prod")).toEqual(["git"]);
    expect(await listNames(client, "deployment_type=dev")).toEqual([]);
    expect(await listNames(client, `deployment_ids=${git.id},%20${other.id.toUpperCase()}`)).toEqual(["other", "git"]);
  });

  // @covers 4A.GET /v2/deployments.remote_reconciled, 4A.GET /v2/deployments.tag_value_ids
  // @covers 4A.GET /v2/deployments.image_version
  test("filters by image version, remote reconciliation and tags", async () => {
    const client = await start({ strict: true });
    const seeded = { name: "seeded", image_version: "0.4.1", remote_reconciled: true, tag_value_ids: ["t1", "t2"] };
    await client.admin("POST", "/seed", { deployments: [seeded] });
    await createDeployment(client, docker("plain"));
    expect(await listNames(client, "image_version=0.4.1")).toEqual(["seeded"]);
    expect(await listNames(client, "remote_reconciled=true")).toEqual(["seeded"]);
    expect(await listNames(client, "remote_reconciled=false")).toEqual(["plain"]);
    expect(await listNames(client, "tag_value_ids=t2,t9")).toEqual(["seeded"]);
    expect(await listNames(client, "tag_value_ids=T2")).toEqual([]);
    const source_config = { listener_id: "22222222-2222-4222-8222-222222222222" };
    await createDeployment(client, docker("remote", { source_config }));
    expect(await listNames(client, "remote_reconciled=true")).toEqual(["remote", "seeded"]);
  });
});

const all = ["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "UNKNOWN"];

// @covers 2A.Deployment.status, 3.Deployment status, 4A.GET /v2/deployments.status
test.each(all)("the status of a deployment may be %s, and the list can be filtered by it", async (status) => {
  const client = await start({ strict: true });
  const other = status === "READY" ? "UNUSED" : "READY";
  await client.emulator.seed({
    deployments: [
      { name: "one", status },
      { name: "two", status: other },
    ],
  });
  const { resources } = (await client.get(`/v2/deployments?status=${status}`)).body;
  expect(resources).toMatchObject([{ name: "one", status }]);
});
