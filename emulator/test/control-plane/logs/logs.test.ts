import { type Body, type Client, createDeployment, docker, githost, rolloutMs, start } from "../../support/emulator";

describe("logs", () => {
  async function readLogs(client: Client, { id, latest_revision_id }: Body, query: string): Promise<Body> {
    const response = await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}/logs?${query}`);
    expect(response.status).toBe(200);
    return response.body;
  }

  test.each([
    ["build", githost("agent"), "https://git.example/team/agent at main"],
    ["deploy", docker("agent"), "registry.example/agent:1"],
  ])("of a %s have at least ten lines in order of time, with the steps and the source", async (type, body, source) => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, body, rolloutMs);
    const { logs: lines } = await readLogs(client, deployment, `type=${type}&limit=1000`);
    expect(lines.length).toBeGreaterThanOrEqual(10);
    const times = lines.map((line) => line.timestamp);
    expect(times).toEqual([...new Set(times)].sort());
    const text = lines.map((line) => line.message).join("\n");
    expect(text).toContain(source);
    expect(text).toMatch(/Step 1\/.*Step 2\//s);
  });

  // @covers 2A.LogPage, 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs
  test.each(["asc", "desc"])("can be read in pages in %s order while lines are written", async (order) => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, docker("agent"), 1000);
    const ids: string[] = [];
    let offset: string | null = "";
    do {
      const query: string = `type=deploy&order=${order}&limit=3${offset && `&offset=${offset}`}`;
      const page: Body = await readLogs(client, deployment, query);
      ids.push(...page.logs.map((line) => line.id));
      offset = page.next_offset;
      await client.advance(500);
    } while (offset !== null);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(10 - (order === "desc" ? 8 : 0));
  });

  test("can be filtered by level, text and time, and reject an invalid cursor", async () => {
    const client = await start({ strict: true });
    const line = { level: "WARNING", message: "Disk is nearly full" };
    await client.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: [line, "Out of memory"] } });
    const deployment = await createDeployment(client, docker("agent"), rolloutMs);
    expect((await readLogs(client, deployment, "type=deploy&level=warning")).logs).toMatchObject([line]);
    const [error] = (await readLogs(client, deployment, "type=deploy&query=MEMORY")).logs;
    expect(error).toMatchObject({ level: "ERROR", message: "Out of memory" });
    const since = encodeURIComponent(error?.timestamp ?? "");
    expect((await readLogs(client, deployment, `type=deploy&start_time=${since}`)).logs).toHaveLength(1);
    expect((await readLogs(client, deployment, "type=deploy&end_time=2020-01-01T00:00:00Z")).logs).toEqual([]);
    const path = `/v2/deployments/${deployment.id}/revisions/${deployment.latest_revision_id}/logs`;
    for (const offset of ["nonsense", Buffer.from(`asc:${"9".repeat(400)}`).toString("base64url")])
      expect((await client.get(`${path}?type=deploy&offset=${offset}`)).status).toBe(400);
  });
});
