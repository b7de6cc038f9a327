import { createDeployment, docker, start, startDeployment, statuses, statusOf } from "../../support/emulator";
import { expectError } from "../../support/rejections";

describe("the clock", () => {
  test("stops when it is frozen, and no job runs", async () => {
    const { client, id, latest_revision_id } = await startDeployment();
    const first = (await client.admin("GET", "/clock")).body;
    expect(first).toMatchObject({ frozen: true });
    expect(await statusOf(client, id, latest_revision_id)).toBe("CREATING");
    expect((await client.admin("GET", "/clock")).body).toEqual(first);
  });

  test("advances, running due jobs in order, each at its own due time", async () => {
    const { client, id, latest_revision_id, created_at } = await startDeployment();
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

  test("advances by ten years at most, and never beyond the year 9999", async () => {
    const client = await start();
    const advanceBy = (advance_ms: number) => client.admin("POST", "/clock", { advance_ms });
    const tenYears = 3650 * 86_400_000;
    const [before, tooFar] = [client.emulator.clock.read(), await advanceBy(tenYears + 1)];
    expectError(tooFar, 422, [{ loc: ["body", "advance_ms"], ctx: { le: tenYears } }]);
    expect(client.emulator.clock.read()).toEqual(before);
    await client.advance(Date.parse("9999-01-01T00:00:00Z") - Date.parse(before.now));
    const detail = "The clock cannot advance beyond the year 9999. Advance it by less, or reset the emulator";
    expect(await advanceBy(tenYears)).toMatchObject({ status: 422, body: { detail } });
    expect(await advanceBy(86_400_000)).toMatchObject({ status: 200, body: { now: "9999-01-02T00:00:00.000Z" } });
  });

  test("determines the Date header and every timestamp", async () => {
    const client = await start();
    await client.advance(86_400_000);
    const { now } = client.emulator.clock.read();
    expect((await createDeployment(client, docker("agent"))).created_at).toBe(now);
    const response = await client.get("/v2/deployments");
    expect(Date.parse(response.headers.get("date") ?? "")).toBe(Math.floor(Date.parse(now) / 1000) * 1000);
    expect((await client.get("/v2/nothing")).headers.get("date")).toBe(response.headers.get("date"));
  });

  test("runs all jobs before the response with speed instant", async () => {
    const { client, id } = await startDeployment({ speed: "instant" });
    expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
    await client.remove(`/v2/deployments/${id}`);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(404);
  });

  test("runs faster with a speed factor, without further calls", async () => {
    const { client, id } = await startDeployment({ speed: 200 });
    const deadline = Date.now() + 5000;
    while ((await statuses(client, id))[0] !== "DEPLOYED") expect(Date.now()).toBeLessThan(deadline);
  });
});
