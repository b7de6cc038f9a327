import { createDeployment, docker, start } from "../../support/emulator";

describe("a seed", () => {
  test("creates deployments in any status", async () => {
    const client = await start();
    const revision_id = "0b8f4d7e-6a0f-4c53-9d52-3a5c1f7e2b11";
    const seeded = [
      { name: "old", status: "UNUSED", created_at: "2020-01-01T00:00:00Z", revision_id },
      { name: "broken", revision_status: "DEPLOY_FAILED" },
      { name: "leaving", status: "AWAITING_DELETE", revision_status: null },
    ];
    expect((await client.admin("POST", "/seed", { deployments: seeded })).status).toBe(201);
    const { resources } = (await client.get("/v2/deployments")).body;
    const old = { created_at: "2020-01-01T00:00:00.000Z", active_revision_id: revision_id };
    expect(resources).toMatchObject([
      { name: "leaving", status: "AWAITING_DELETE", latest_revision_id: null },
      { name: "broken", status: "READY", active_revision_id: null },
      { name: "old", status: "UNUSED", ...old },
    ]);
  });

  test("with an invalid value is rejected completely", async () => {
    const client = await start();
    expect((await client.admin("POST", "/seed", { deployments: [{ name: "a" }, { nam: "b" }] })).status).toBe(422);
    expect((await client.get("/v2/deployments")).body.resources).toEqual([]);
  });

  test("creates listeners", async () => {
    const client = await start();
    await client.emulator.seed({ listeners: [{ compute_config: { k8s_namespaces: ["team"] } }] });
    expect((await client.get("/v2/listeners")).body.resources).toHaveLength(2);
  });
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
