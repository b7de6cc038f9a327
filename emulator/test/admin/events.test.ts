import { createCron } from "../agent-server/crons/crons";
import { startAgent } from "../support/agent-server";
import { createDeployment, docker, rolloutMs, start } from "../support/emulator";

/** One event of the stream, as far as these tests read it. */
interface Change {
  deployments: { changed: { id: string; name: string; latest_status: string }[]; removed: string[] };
  assistants: { changed: Record<string, unknown>[]; removed: string[] };
  crons: { changed: Record<string, unknown>[]; removed: string[] };
  clock: { frozen: boolean };
  faults: object[];
  totals: Record<string, number>;
  last_request: number;
}

/** Reads the events of an emulator. */
async function listen(url: string) {
  const closing = new AbortController();
  const response = await fetch(`${url}/events`, { signal: closing.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    type: response.headers.get("content-type"),
    close: () => closing.abort(),
    /** Returns the next event that matches. */
    async next(matches: (change: Change) => boolean = () => true): Promise<Change> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end < 0) {
          text += (await reader?.read())?.value ?? "";
          continue;
        }
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        if (!event.startsWith("data: ")) continue;
        const change: Change = JSON.parse(event.slice(6));
        if (matches(change)) return change;
      }
    },
  };
}

describe("the events of the emulator", () => {
  test("begin with everything but secret values, and continue with what changed only", async () => {
    const client = await start({}, true);
    await createDeployment(client, docker("first", { secrets: [{ name: "A", value: "hidden-value" }] }));
    const events = await listen(client.emulator.urls.admin);
    expect(events.type).toBe("text/event-stream");
    const first = await events.next();
    expect(JSON.stringify(first)).not.toContain("hidden-value");
    expect(first.deployments.changed).toMatchObject([{ name: "first", latest_status: "CREATING" }]);
    expect(first).toMatchObject({ clock: { frozen: true }, totals: { deployments: 1, requests: 1 }, last_request: 1 });
    await createDeployment(client, docker("second"));
    expect((await events.next()).deployments).toMatchObject({ changed: [{ name: "second" }], removed: [] });
    events.close();
  });

  test("contain assistants without untouched default ones, and crons with their next time", async () => {
    const agent = await startAgent();
    const events = await listen(agent.emulator.urls.admin);
    expect((await events.next()).totals).toMatchObject({ assistants: 0, crons: 0 });
    const { assistant_id } = (await agent.call("POST", "/assistants", { graph_id: "echo", name: "mine" })).body;
    const created = (await events.next(({ assistants }) => assistants.changed.length > 0)).assistants.changed;
    expect(created).toMatchObject([{ id: assistant_id, deployment: "agent", name: "mine", version: 1, crons: 0 }]);
    const { cron_id, next_run_date } = await createCron(agent, { assistant_id, schedule: "0 9 * * *" });
    const { crons } = await events.next((change) => change.crons.changed.length > 0);
    const next = new Date(next_run_date).toISOString();
    expect(crons.changed).toMatchObject([{ id: cron_id, assistant: "mine", enabled: 1, next_run_date: next }]);
    const describe = (path: string) => agent.admin("GET", `/agents/${agent.deploymentId}/${path}`);
    expect((await describe(`assistants/${assistant_id}`)).body).toMatchObject({ versions: [{ version: 1 }] });
    expect((await describe(`crons/${cron_id}`)).body).toMatchObject({ assistant_id, deployment: { name: "agent" } });
    for (const path of ["assistants/x", "crons/x"]) expect((await describe(path)).status).toBe(404);
    await agent.call("DELETE", `/assistants/${assistant_id}`);
    const { assistants } = await events.next((change) => change.assistants.removed.length > 0);
    expect(assistants.removed).toEqual([`${agent.deploymentId}/${assistant_id}`]);
    events.close();
  });

  test("name the stack and the resource that manage a deployment, and count what belongs to it", async () => {
    const agent = await startAgent();
    const value = "acme/urn:pulumi:staging::shop::pulumi-nodejs:dynamic/agentgraph:Deployment::support";
    await agent.call("POST", "/assistants", { graph_id: "echo", name: "mine" });
    const path = `/deployments/${agent.deploymentId}`;
    await agent.admin("PATCH", path, { secrets: [{ name: "PULUMI_RESOURCE", value }] });
    const events = await listen(agent.emulator.urls.admin);
    const owner = { stack: "staging", project: "shop", resource: "support" };
    const isOwn = ({ id }: { id: string }) => id === agent.deploymentId;
    // The first event may be as old as the previous look at the store.
    const { deployments: first } = await events.next((change) => change.deployments.changed.some(isOwn));
    const row = first.changed.find(isOwn);
    expect(row).toMatchObject({ ...owner, assistants: 1, crons: 0, threads: 0 });
    expect(row).not.toHaveProperty("secrets");
    await agent.admin("PATCH", path, { secrets: [] });
    const { deployments } = await events.next((change) => change.deployments.changed.length > 0);
    expect(deployments.changed).toMatchObject([{ stack: null, project: null, resource: null }]);
    events.close();
  });

  test("report the statuses of a rollout while the clock advances, and a deletion", async () => {
    const client = await start({}, true);
    const { id } = await createDeployment(client, docker("agent"));
    const events = await listen(client.emulator.urls.admin);
    await client.advance(rolloutMs);
    const live = await events.next(({ deployments }) => deployments.changed[0]?.latest_status === "DEPLOYED");
    expect(live.deployments.changed).toHaveLength(1);
    await client.admin("DELETE", `/deployments/${id}`);
    const deleted = await events.next(({ deployments }) => deployments.removed.length > 0);
    expect(deleted).toMatchObject({ deployments: { changed: [], removed: [id] }, totals: { deployments: 0 } });
    events.close();
  });

  test("report faults and the clock", async () => {
    const client = await start();
    const events = await listen(client.emulator.urls.admin);
    await client.admin("POST", "/faults", { path: "/v2/**", status: 503 });
    await events.next(({ faults }) => faults.length === 1);
    await client.admin("POST", "/clock", { frozen: false });
    await events.next(({ clock }) => !clock.frozen);
    events.close();
  });

  test("end when the emulator stops, and do not keep it from stopping", async () => {
    const client = await start();
    const events = await listen(client.emulator.urls.admin);
    await events.next();
    await client.emulator.stop();
    await expect(events.next()).rejects.toThrow();
  });
});
