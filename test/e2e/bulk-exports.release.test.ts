/**
 * Exports with the real engine: one that fails is replaced by the next up, and a replaced destination restarts both
 * kinds.
 */
import { defaultTenantId } from "../../emulator/src";
import type { CliStack } from "./support/cli-stack";
import { messagesOf, steps } from "./support/events";
import { API_KEY, World } from "./support/world";

const world = new World({ strict: true, apiKey: API_KEY });
let stack: CliStack;
let sessionId: string;

interface RemoteExport {
  id: string;
  status: string;
  interval_hours: number | null;
}

async function exports(): Promise<RemoteExport[]> {
  const headers = { "x-api-key": API_KEY, "x-tenant-id": defaultTenantId };
  return (await fetch(`${world.url}/api/v1/bulk-exports`, { headers })).json() as never;
}

/** Source text of a destination, an export of one day that is waited for, and a schedule that begins in the future. */
function program({ prefix = "one", filter = "" } = {}): string {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const config = { bucketName: "exports", prefix, endpointUrl };
  const destination = {
    destinationType: "s3",
    displayName: "t",
    config,
    credentials: { accessKeyId, secretAccessKey },
  };
  const day = { startTime: "2026-01-15T00:00:00Z", endTime: "2026-01-16T00:00:00+00:00", waitFor: "completed" };
  const future = { startTime: "2100-01-01T00:00:00Z", intervalHours: 24 };
  const target = `bulkExportDestinationId: bucket.id, sessionId: ${JSON.stringify(sessionId)}`;
  return `const bucket = new agentgraph.BulkExportDestination("bucket", ${JSON.stringify(destination)});
    const day = new agentgraph.BulkExport("day", { ${target}, ...${JSON.stringify({ ...day, ...(filter && { filter }) })} });
    new agentgraph.ScheduledBulkExport("daily", { ${target}, ...${JSON.stringify(future)} });
    exports.rows = day.rowsWritten;`;
}

const exportState = async () => (await stack.resources()).get("day");

test("a failed export keeps its ID in state, and the next up replaces it although the program is unchanged", async () => {
  const run = { name: "turn", start_time: "2026-01-15T12:00:00Z" };
  sessionId = (await world.emulator.loadRuns({ project: "agent" }, [run])).session_id;
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  stack = await world.stack({ project: "exports", env });
  await stack.program.write(program());
  await world.emulator.faults.add({ export_run: { error: "AccessDenied: no" }, times: 21 });
  const up = stack.startUp();
  await up.waitForOutput("RUNNING");
  await world.emulator.clock.advance(20 * 30_000);
  const failed = await up.waitForExit();
  expect(failed.code).not.toBe(0);
  expect(failed.output).toMatch(/2026-01-15 \(20 retries\): AccessDenied: no/);
  const before = await exportState();
  expect(before).toMatchObject({ outputs: { status: "FAILED" }, initErrors: [expect.stringContaining("FAILED")] });

  const preview = await stack.preview();
  expect(steps(preview)).toContain("replace day");
  expect(messagesOf(preview, "day")).toContain("restarts the export; it ended FAILED");
  const retried = await stack.up();
  expect(retried).toMatchObject({ code: 0 });
  expect(messagesOf(retried, "day").join()).toMatch(/Export .* ended FAILED\. Exports are never deleted/);
  const after = await exportState();
  expect(after).toMatchObject({ outputs: { status: "COMPLETED", rowsWritten: 1 } });
  expect(after?.id).not.toBe(before?.id);
});

test("a replaced destination restarts the exports that write to it, and each row shows that", async () => {
  await stack.program.write(program({ prefix: "two" }));
  const preview = await stack.preview();
  expect(steps(preview)).toEqual(expect.arrayContaining(["replace bucket", "replace day", "replace daily"]));
  for (const name of ["day", "daily"])
    expect(messagesOf(preview, name).join()).toContain("its destination is replaced");
  expect(await stack.up()).toMatchObject({ code: 0 });
  const all = await exports();
  expect(all.filter(({ interval_hours: hours }) => hours).map(({ status }) => status)).toEqual([
    "INTERVALSCHEDULED",
    "CANCELLED",
  ]);
});
