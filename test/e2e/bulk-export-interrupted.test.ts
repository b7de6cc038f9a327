/** Exports that are interrupted because pulumi or the server is killed: nothing is duplicated, lost or partially written. */
import { join } from "node:path";
import { defaultTenantId } from "../../emulator/src";
import { queryParquet } from "../../emulator/test/support/bucket/client";
import { destinationSource, downloadObjects } from "./support/buckets";
import type { CliStack } from "./support/cli-stack";
import { EmulatorProcess } from "./support/emulator-process";
import { changedProperties, steps } from "./support/events";
import { DAY_MS, threeDaysOfRuns } from "./support/traces";
import { waitUntil } from "./support/wait-until";
import { API_KEY, World } from "./support/world";

const JANUARY = Date.UTC(2026, 0, 14);
const HOUR_MS = DAY_MS / 24;
const world = new World({ strict: true, apiKey: API_KEY });

interface Remote {
  id: string;
  status: string;
  source_bulk_export_id: string | null;
}

async function list(what: "bulk-exports" | "bulk-exports/destinations", url = world.url): Promise<Remote[]> {
  const headers = { "x-api-key": API_KEY, "x-tenant-id": defaultTenantId };
  return (await fetch(`${url}/api/v1/${what}`, { headers })).json() as never;
}

const env = (url: string) => ({ AGENTGRAPH_TRACING_API_URL: url, AGENTGRAPH_TENANT_ID: defaultTenantId });
const stateOf = async (stack: CliStack, name: string) => (await stack.resources()).get(name);

/** Returns the source text of an export of the three days that `pulumi up` waits for. */
function days(sessionId: string, options = {}): string {
  const [startTime, endTime] = [JANUARY, JANUARY + 3 * DAY_MS].map((time) => new Date(time).toISOString());
  const inputs = JSON.stringify({ sessionId, startTime, endTime, waitFor: "completed" });
  return `new agentgraph.BulkExport("days", { bulkExportDestinationId: lake.id, ...${inputs} }, ${JSON.stringify(options)});`;
}

describe("kill -9 of pulumi", () => {
  let stack: CliStack;
  let sessionId: string;
  const bucket = (options = {}) => destinationSource(world.emulator.bucket, "traces", options);

  beforeAll(async () => {
    sessionId = (await world.emulator.loadRuns({ project: "agent" }, threeDaysOfRuns(JANUARY, 0))).session_id;
    stack = await world.stack({ project: "killed", env: env(world.url) });
  });

  /** The next up creates nothing: its error names the only object, which the killed run created, and how to import it. */
  async function expectImportHint(what: Parameters<typeof list>[0]): Promise<string> {
    await stack.runOrThrow("cancel", "--yes");
    const next = await stack.up();
    expect(next.code).not.toBe(0);
    const all = await list(what);
    expect(all).toHaveLength(1);
    expect(next.output).toContain(`import: "${all[0]?.id}"`);
    return String(all[0]?.id);
  }

  test("during the creation of a destination and during the wait for an export duplicates neither", async () => {
    await stack.program.write(bucket());
    await world.emulator.faults.add({ method: "GET", path: "/api/v1/bulk-exports/destinations/*", delay_ms: 2000 });
    const creating = stack.startUp();
    const countCreates = () =>
      world.emulator.journal.count({ method: "POST", path: "/api/v1/bulk-exports/destinations" });
    await waitUntil(
      () => countCreates() > 0,
      () => "the destination",
    );
    await creating.kill();
    const options = { import: await expectImportHint("bulk-exports/destinations") };

    await world.emulator.clock.freeze();
    await stack.program.write(bucket(options) + days(sessionId));
    const waiting = stack.startUp();
    await waiting.waitForOutput("CREATED");
    await waiting.kill();
    const id = await expectImportHint("bulk-exports");

    await world.emulator.clock.resume();
    await stack.program.write(bucket(options) + days(sessionId, { import: id }));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stateOf(stack, "days")).toMatchObject({ id, outputs: { status: "COMPLETED", rowsWritten: 216 } });
    expect([await list("bulk-exports/destinations"), await list("bulk-exports")]).toMatchObject([
      [options.import].map((id) => ({ id })),
      [{ id }],
    ]);
  });
});

describe("kill -9 of the server", () => {
  let service: EmulatorProcess;
  let stack: CliStack;
  let sessionId: string;

  beforeAll(async () => {
    service = new EmulatorProcess(await world.createFolder("service"));
    await service.start();
    const lines = threeDaysOfRuns(JANUARY, 0).map((run) => JSON.stringify(run));
    const loaded = await service.admin("POST", "runs?project=agent", lines.join("\n"));
    sessionId = (loaded as { session_id: string }).session_id;
    stack = await world.stack({ project: "outage", env: env(service.url) });
  });
  afterAll(() => service?.kill());

  test("during an export does not fail the waiting up, and each run is written once", async () => {
    await service.admin("POST", "faults", { export_run: { day: "2026-01-15", stalls: true } });
    await stack.program.write(destinationSource(service.bucket, "traces") + days(sessionId));
    const running = stack.startUp();
    await waitUntil(
      async () => (await service.objects()) === 2,
      () => "two of three files",
    );
    await service.kill();
    await service.start();
    // The day that stood still is given up after 4 hours, and tried again half a minute later.
    await service.admin("POST", "clock", { advance_ms: 4 * HOUR_MS + 60_000 });
    expect(await running.waitForExit()).toMatchObject({ code: 0 });
    expect(await stateOf(stack, "days")).toMatchObject({ outputs: { status: "COMPLETED", rowsWritten: 216 } });
    const folder = await world.createFolder("outage");
    const files = await downloadObjects(folder, service.bucket);
    expect(files).toHaveLength(3);
    const counted = "SELECT count(*)::INT AS rows, count(DISTINCT id)::INT AS runs FROM {}";
    expect(
      await queryParquet(
        files.map((file) => join(folder, file)),
        counted,
      ),
    ).toEqual([{ rows: 216, runs: 216 }]);
    expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0 });
  });

  test("does not prevent a credential rotation: with the new key, the failed window and later ones are written", async () => {
    const hour = Math.floor((await service.now()) / HOUR_MS) * HOUR_MS;
    const startTime = new Date(hour).toISOString();
    const schedule = `new agentgraph.ScheduledBulkExport("hourly", { bulkExportDestinationId: lake.id, ...${JSON.stringify({ sessionId, startTime, intervalHours: 1 })} });`;
    await service.admin("POST", `runs?project=${sessionId}`, JSON.stringify({ name: "now", start_time: startTime }));
    await stack.program.write(destinationSource(service.bucket, "traces") + schedule);
    expect(await stack.up()).toMatchObject({ code: 0 });
    const destination = (await stateOf(stack, "lake"))?.id;

    await service.kill();
    await service.start("the-second-secret-of-the-bucket");
    await service.admin("POST", "clock", {
      advance_ms: hour + HOUR_MS + 11 * 60_000 - (await service.now()),
    });
    const spawned = async () => (await list("bulk-exports", service.url)).filter((one) => one.source_bulk_export_id);
    expect(await spawned()).toMatchObject([{ status: "RUNNING" }]);

    await stack.program.write(destinationSource(service.bucket, "traces") + schedule);
    const rotated = await stack.up();
    expect([steps(rotated), changedProperties(rotated)]).toMatchObject([
      ["update lake"],
      [expect.stringMatching(/^credentials/)],
    ]);
    expect((await stateOf(stack, "lake"))?.id).toBe(destination);
    await service.admin("POST", "clock", { advance_ms: HOUR_MS });
    expect((await spawned()).map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED"]);
    expect(await downloadObjects(await world.createFolder("rotated"), service.bucket)).toHaveLength(4);
  });
});
