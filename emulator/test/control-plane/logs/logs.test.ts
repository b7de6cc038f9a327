import { type Body, type Client, createDeployment, docker, rolloutMs, start } from "../../support/emulator";

describe("logs", () => {
  async function readLogs(client: Client, { id, latest_revision_id }: Body, query: string): Promise<Body> {
    const response = await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}/logs?${query}`);
    expect(response.status).toBe(200);
    return response.body;
  }

  // @covers 2A.LogPage, 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs
  test.each(["asc", "desc"])("can be read in pages in %s order while lines are written", async (order) => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, docker("agent"), 1000);
    const lines: Body["logs"] = [];
    let offset: string | null = "";
    do {
      const query: string = `type=deploy&order=${order}&limit=3${offset && `&offset=${offset}`}`;
      const page: Body = await readLogs(client, deployment, query);
      lines.push(...page.logs);
      offset = page.next_offset;
      await client.advance(500);
    } while (offset !== null);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    expect(lines.length).toBeGreaterThanOrEqual(10 - (order === "desc" ? 8 : 0));
    const times = lines.map(({ timestamp }) => timestamp);
    const ascending = [...new Set(times)].sort();
    expect(times).toEqual(order === "asc" ? ascending : ascending.reverse());
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
