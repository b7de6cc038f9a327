/**
 * Dynamic resources whose pulumi, or whose server, is killed or stopped: nothing is duplicated, lost or partially written.
 * The tests in test/provider/ interrupt every request; here is what the engine and real processes add.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { defaultTenantId } from "../../emulator/src";
import { queryParquet } from "../../emulator/test/support/bucket/client";
import { destinationSource, downloadObjects } from "./support/buckets";
import type { CliStack } from "./support/cli-stack";
import { EmulatorProcess } from "./support/emulator-process";
import { changedProperties, messagesOf, steps } from "./support/events";
import { waitUntilEnded } from "./support/processes";
import { agentSource } from "./support/program";
import { readTraces } from "./support/trace-file";
import { DAY_MS, threeDaysOfRuns } from "./support/traces";
import { waitUntil } from "./support/wait-until";
import { API_KEY, World } from "./support/world";

const JANUARY = Date.UTC(2026, 0, 14);
const HOUR_MS = DAY_MS / 24;
const world = new World();

const env = (url: string) => ({ AGENTGRAPH_TRACING_API_URL: url, AGENTGRAPH_TENANT_ID: defaultTenantId });
const liveDeployment = {
  name: "live",
  source: "external_docker",
  revision_status: "DEPLOYED",
  source_revision_config: { image_uri: "registry.example.com/agent:1" },
} as const;

async function request<T>(url: string, method = "GET", body?: object): Promise<T> {
  const headers = { "content-type": "application/json", "x-api-key": API_KEY, "x-tenant-id": defaultTenantId };
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

describe("pulumi", () => {
  let stack: CliStack;
  let server: string;
  const image = (version: number) => `registry.example.com/agent:${version}`;
  const idOf = async (name: string) => (await stack.resources()).get(name)?.id;
  const countOf = (method: string, path: string) => world.emulator.requestLog.count({ method, path });
  const threads = () => request<{ thread_id: string }[]>(`${server}/threads/search`, "POST", { limit: 100 });
  const destinations = () => request<{ id: string }[]>(`${world.url}/api/v1/bulk-exports/destinations`);
  const agent = async () => (await world.deployments()).filter(({ name }) => name === "agent");

  /** Source text: a new deployment, a thread of one that exists, and a destination. */
  const program = (version: number, destinationOptions = {}) =>
    `${agentSource({ image: image(version) })}
    new agentgraph.Thread("session", { deploymentUrl: "${server}", metadata: { graph_id: "echo" } });
    ${destinationSource(world.emulator.bucket, "traces", destinationOptions)}`;

  beforeAll(async () => {
    const { deployments: [id = ""] = [] } = await world.emulator.seed({ deployments: [liveDeployment] });
    server = `${world.url}/agents/${id}`;
    stack = await world.stack({ project: "killed", env: env(world.url) });
  });

  // @covers 4B.POST /threads:once
  test("is killed while it creates a deployment, a thread and a destination: none is created twice, and the next runs continue", async () => {
    const destinationPath = "/api/v1/bulk-exports/destinations";
    await stack.program.write(program(1));
    await world.emulator.faults.add({ method: "POST", path: "/agents/*/threads", delay_ms: 3000 });
    // The provider lists the destinations before and after the create: the second list keeps it from ending before the kill.
    await world.emulator.faults.add({ method: "GET", path: destinationPath, skip: 1, delay_ms: 60_000 });
    const running = await world.startUpAndHold(stack);
    await waitUntil(
      () => countOf("POST", destinationPath) > 0 && world.emulator.faults.list().every((fault) => "hold" in fault),
      () => "the creates of the destination and the thread",
    );
    const hosts = (await running.kill()).filter(({ role }) => role === "host" || role === "launcher");
    expect(hosts).not.toEqual([]);
    await waitUntilEnded(hosts);
    await waitUntil(
      () => countOf("POST", "/agents/*/threads") > 0,
      () => "the end of the request for a thread",
    );
    await world.emulator.faults.clear();
    const [{ id } = { id: "" }, ...others] = await agent();
    expect(others).toEqual([]);

    const locked = await stack.up();
    expect(locked.code).not.toBe(0);
    expect(locked.output).toContain("pulumi cancel");
    await stack.runOrThrow("cancel", "--yes");

    await world.requests();
    const next = await stack.up("--continue-on-error");
    expect(next.code).not.toBe(0);
    expect(messagesOf(next, "agent")).toContain(
      `Resuming Deployment ${id}: this resource created it in an earlier run that was interrupted, or retainOnDelete kept it.`,
    );
    expect(countOf("POST", "/v2/deployments")).toBe(0);
    expect(await world.getDeployment(id)).toMatchObject({ status: "READY", revisions: [{ status: "DEPLOYED" }] });
    expect((await world.getDeployment(id))?.revisions).toHaveLength(1);
    expect(await idOf("agent")).toBe(id);
    expect(await threads()).toMatchObject([{ thread_id: await idOf("session") }]);
    // A destination has no place for an ownership marker: the error says how to import it.
    const [lake] = await destinations();
    expect(next.output).toContain(`import: "${lake?.id}"`);

    await stack.program.write(program(1, { import: lake?.id }));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await destinations()).toMatchObject([{ id: await idOf("lake") }]);
    const pending = async () => (await stack.state()).deployment.pending_operations ?? [];
    expect(new Set((await pending()).map(({ type }) => type))).toEqual(new Set(["creating"]));
    expect(await stack.refresh("--clear-pending-creates")).toMatchObject({ code: 0 });
    expect(await pending()).toEqual([]);
  });

  test("is stopped with Ctrl-C once: it waits for the running deployment and saves it", async () => {
    await stack.program.write(program(2));
    const running = await world.startUpAndHold(stack);
    running.pressCtrlC();
    await running.waitForOutput("^C received");
    await world.emulator.faults.clear();
    expect((await running.waitForExit()).code).not.toBe(0);
    expect((await stack.resources()).get("agent")?.inputs).toMatchObject({
      sourceRevisionConfig: { imageUri: image(2) },
    });
  });

  test("is stopped with Ctrl-C twice: its trace is complete, the next up continues with the same revision, and a destroy leaves nothing", async () => {
    await stack.program.write(program(3));
    const traces = join(await world.createFolder("traces"), "dynamic.json");
    stack.env.PULUMI_OPTION_OTEL_TRACES = pathToFileURL(traces).href;
    const running = await world.startUpAndHold(stack);
    running.pressCtrlC();
    await running.waitForOutput("^C received");
    running.pressCtrlC();
    expect((await running.waitForExit()).code).not.toBe(0);
    delete stack.env.PULUMI_OPTION_OTEL_TRACES;
    const errors = new Map((await readTraces(traces)).ours.map(({ name, status }) => [name, status.message]));
    expect(errors.get("Deployment update")).toBe("The process ended before.");
    await world.emulator.faults.clear();
    expect(await stack.up()).toMatchObject({ code: 0 });
    const [{ id } = { id: "" }, ...others] = await agent();
    expect(others).toEqual([]);
    const { revisions = [] } = (await world.getDeployment(id)) ?? {};
    expect(revisions.map(({ source_revision_config: { image_uri } }) => image_uri)).toEqual([3, 2, 1].map(image));
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect([await agent(), await threads(), await destinations()]).toEqual([[], [], []]);
  });
});

describe("kill -9 of the server", () => {
  let service: EmulatorProcess;
  let folder: string;
  let deployment: string;

  beforeAll(async () => {
    folder = await world.createFolder("service");
    service = new EmulatorProcess(folder);
    await service.start();
    const seeded = await service.admin("POST", "seed", { deployments: [liveDeployment] });
    [deployment = ""] = (seeded as { deployments: string[] }).deployments;
  });
  afterAll(() => service?.kill());

  async function restart(secret?: string): Promise<void> {
    await service.kill();
    await service.start(secret);
  }
  const advance = (ms: number) => service.admin("POST", "clock", { advance_ms: ms });
  async function spawned() {
    const all = await request<{ source_bulk_export_id: string | null; status: string }[]>(
      `${service.url}/api/v1/bulk-exports`,
    );
    return all.filter((one) => one.source_bulk_export_id).map(({ status }) => status);
  }

  test("during an export fails neither the waiting up nor a credential rotation, and each run is written once", async () => {
    const lines = threeDaysOfRuns(JANUARY, 0).map((run) => JSON.stringify(run));
    const loaded = await service.admin("POST", "runs?project=agent", lines.join("\n"));
    const { session_id: sessionId } = loaded as { session_id: string };
    const [startTime, endTime] = [JANUARY, JANUARY + 3 * DAY_MS].map((time) => new Date(time).toISOString());
    // Its first window begins after what the export below waits for.
    const firstHour = (Math.floor((await service.now()) / HOUR_MS) + 6) * HOUR_MS;
    const hourly = { sessionId, startTime: new Date(firstHour).toISOString(), intervalHours: 1 };
    await service.admin(
      "POST",
      `runs?project=${sessionId}`,
      JSON.stringify({ name: "now", start_time: hourly.startTime }),
    );
    const program = () => `${destinationSource(service.bucket, "traces")}
      const to = { bulkExportDestinationId: lake.id };
      new agentgraph.BulkExport("days", { ...to, ...${JSON.stringify({ sessionId, startTime, endTime, waitFor: "completed" })} });
      new agentgraph.ScheduledBulkExport("hourly", { ...to, ...${JSON.stringify(hourly)} });`;
    const stack = await world.stack({
      project: "outage",
      env: { ...env(service.url), AGENTGRAPH_CONTROL_PLANE_URL: service.url },
    });

    await service.admin("POST", "faults", { export_run: { day: "2026-01-15", stalls: true } });
    await stack.program.write(program());
    const running = stack.startUp();
    await waitUntil(
      async () => (await service.objects()) === 2,
      () => "two of three files",
    );
    await restart();
    // The day that stood still is given up after 4 hours, and tried again half a minute later.
    await advance(4 * HOUR_MS + 60_000);
    expect(await running.waitForExit()).toMatchObject({ code: 0 });
    expect((await stack.resources()).get("days")).toMatchObject({ outputs: { status: "COMPLETED", rowsWritten: 216 } });
    const written = await world.createFolder("written");
    const files = await downloadObjects(written, service.bucket);
    expect(files).toHaveLength(3);
    const paths = files.map((file) => join(written, file));
    expect(await queryParquet(paths, "SELECT count(*)::INT AS rows, count(DISTINCT id)::INT AS runs FROM {}")).toEqual([
      { rows: 216, runs: 216 },
    ]);

    // The bucket gets another secret: with it, the window that failed and later ones are written.
    await restart("the-second-secret-of-the-bucket");
    await advance(firstHour + HOUR_MS + 11 * 60_000 - (await service.now()));
    expect(await spawned()).toEqual(["RUNNING"]);
    const destination = (await stack.resources()).get("lake")?.id;
    await stack.program.write(program());
    const rotated = await stack.up();
    expect([steps(rotated), changedProperties(rotated)]).toMatchObject([
      ["update lake"],
      [expect.stringMatching(/^credentials/)],
    ]);
    expect((await stack.resources()).get("lake")?.id).toBe(destination);
    await advance(HOUR_MS);
    expect(await spawned()).toEqual(["COMPLETED", "COMPLETED"]);
    expect(await downloadObjects(await world.createFolder("rotated"), service.bucket)).toHaveLength(4);
  });

  // @covers 1B, 3.4
  test("during a run of an agent neither loses nor repeats a step", async () => {
    const server = `${service.url}/agents/${deployment}`;
    const { thread_id: id } = await request<{ thread_id: string }>(`${server}/threads`, "POST", {
      metadata: { graph_id: "counter" },
    });
    const history = () =>
      request<{ metadata: { step: number }; values: { count?: number } }[]>(`${server}/threads/${id}/history`, "POST", {
        limit: 1000,
      });
    await service.admin("POST", "clock", { frozen: true });
    const turn = { assistant_id: "counter", input: { steps: 4 } };
    const { run_id } = await request<{ run_id: string }>(`${server}/threads/${id}/runs`, "POST", turn);
    const run = () => request(`${server}/threads/${id}/runs/${run_id}`);
    await advance(1200);
    const historyBefore = await history();
    expect(historyBefore[0]?.values.count).toBeGreaterThan(0);
    await restart();
    expect(await history()).toEqual(historyBefore);
    expect(await run()).toMatchObject({ status: "running" });
    await advance(10_000);
    expect(await run()).toMatchObject({ status: "success" });
    const historyAfter = await history();
    expect(historyAfter.map(({ metadata }) => metadata.step)).toEqual(
      [...historyAfter.keys()].map((n) => historyAfter.length - 2 - n),
    );
    expect(historyAfter.slice(0, 4).map(({ values }) => values.count)).toEqual([4, 3, 2, 1]);
    expect(traceNames(folder, id)).toEqual(["counter", "count", "count", "count", "count"]);
  });
});

/** Returns the names of the trace runs of a thread that the server stores in this folder, each root before its children. */
function traceNames(folder: string, threadId: string): unknown[] {
  const file = new DatabaseSync(join(folder, "emulator.sqlite"), { readOnly: true });
  const rows = file.prepare("SELECT * FROM runs ORDER BY dotted_order").all();
  file.close();
  return rows.filter((row) => JSON.stringify(row).includes(threadId)).map(({ name }) => name);
}
