import { exportById } from "../../../src/bulk-export/exports/records";
import { executeAttempt } from "../../../src/bulk-export/runs/attempts";
import { runById, updateRun } from "../../../src/bulk-export/runs/records";
import { openContext, routeNames } from "../../../src/platform";
import { resolveSettings } from "../../../src/runtime/options";
import { createDestination, destinationBody, listKeys, sendSigned } from "../../support/bucket/client";
import { startFakeStore } from "../../support/bucket/fake-object-store";
import { bulkExports, exportMs, TracingClient } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";
import { newFolder } from "../../support/folder";

const run = { name: "r", start_time: "2026-01-01T12:00:00Z" };
const oneDay = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-02T00:00:00Z" };

async function startWithRun(options: object = {}) {
  const tracing = new TracingClient(await start({ strict: true, ...options }));
  const { session_id } = await tracing.client.emulator.loadRuns({ project: "agent" }, [run]);
  return { tracing, session_id, bucket: tracing.client.emulator.bucket };
}

/**
 * Starts an export whose file is uploaded to a store that does not respond. `clockAdvance` resolves once the clock has
 * advanced.
 */
async function startStalledExport(options: object = {}) {
  const { tracing, session_id, bucket } = await startWithRun(options);
  const arrival = Promise.withResolvers<void>();
  // The first object is the probe of the destination.
  const store = await startFakeStore(() => store.stalled && arrival.resolve());
  const endpoint = destinationBody(bucket, { endpoint_url: store.url });
  const destination = await tracing.post(`${bulkExports}/destinations`, endpoint);
  store.stalled = true;
  const { id } = await tracing.create({ bulk_export_destination_id: destination.body.id, session_id, ...oneDay });
  const clockAdvance = tracing.client.advance(exportMs).catch((error: unknown) => error);
  await arrival.promise;
  return { tracing, store, id, clockAdvance };
}

test("an export that is canceled during an upload leaves no file, and keeps its status afterwards", async () => {
  const { tracing, store, id, clockAdvance } = await startStalledExport();
  expect(await tracing.runs(id)).toMatchObject([{ status: "RUNNING" }]);
  expect((await tracing.cancel(id)).body.status).toBe("CANCELLED");
  // Resolves only after the upload is abandoned.
  expect(await clockAdvance).not.toBeInstanceOf(Error);
  store.stalled = false;
  await tracing.client.advance(60_000);
  expect(await tracing.runs(id)).toMatchObject([{ status: "CANCELLED", errors: null, metadata: { result: null } }]);
  expect((await tracing.export(id)).status).toBe("CANCELLED");
  expect([...store.objects.keys()]).toEqual([]);
});

test("a reset leaves the clock at the real time, also where others wait to advance it", async () => {
  const { tracing, clockAdvance } = await startStalledExport();
  const { clock, reset } = tracing.client.emulator;
  await Promise.all([clockAdvance, clock.advance(86_400_000), reset()]);
  expect(Date.parse(clock.read().now)).toBeLessThanOrEqual(Date.now());
});

test("an export run without its bucket is retried with the reason as its error until there is one again", async () => {
  const { tracing, session_id, bucket } = await startWithRun();
  const bulk_export_destination_id = await createDestination(tracing);
  expect((await sendSigned(bucket, "DELETE", "exports")).status).toBe(204);
  const { id } = await tracing.create({ bulk_export_destination_id, session_id, ...oneDay }, exportMs + 30_000);
  const [waiting] = await tracing.runs(id);
  expect(waiting).toMatchObject({ status: "RUNNING", retry_number: 1 });
  expect(Object.values(waiting?.errors ?? {})).toEqual(Array(2).fill(expect.stringContaining("Bucket is not valid")));
  expect((await sendSigned(bucket, "PUT", "exports")).status).toBe(200);
  await tracing.client.advance(30_000);
  expect(await tracing.runs(id)).toMatchObject([{ status: "COMPLETED", retry_number: 2 }]);
  expect(await listKeys(bucket)).toHaveLength(1);
});

test("invalid credentials fail the attempts of a run until they are rotated", async () => {
  const { tracing, session_id, bucket } = await startWithRun();
  const { config, credentials } = destinationBody(bucket);
  const wrong = { ...credentials, secret_access_key: "old" };
  const { destinations } = await tracing.client.emulator.seed({ destinations: [{ config, credentials: wrong }] });
  const [destination = ""] = destinations ?? [];
  const { id } = await tracing.create({ bulk_export_destination_id: destination, session_id, ...oneDay }, exportMs);
  expect(await tracing.runs(id)).toMatchObject([{ errors: { retry_0: expect.stringContaining("signature") } }]);
  expect((await tracing.patch(`${bulkExports}/destinations/${destination}`, { credentials })).status).toBe(200);
  await tracing.client.advance(30_000);
  expect((await tracing.export(id)).status).toBe("COMPLETED");
  expect(await listKeys(bucket)).toHaveLength(1);
});

test("an emulator that is stopped during an upload resumes it at the next start", async () => {
  const data = newFolder();
  const { tracing, store, id, clockAdvance } = await startStalledExport({ data });
  await tracing.client.emulator.stop();
  await clockAdvance;
  store.stalled = false;
  const again = new TracingClient(await start({ strict: true, data }));
  await again.client.advance(exportMs);
  expect(await again.runs(id)).toMatchObject([{ status: "COMPLETED", retry_number: 0, errors: null }]);
  expect(store.objects.size).toBe(1);
});

test("an attempt that ends after the run was retried changes nothing: only the current attempt counts", async () => {
  const data = newFolder();
  const { tracing, store, id, clockAdvance } = await startStalledExport({ data });
  const [{ id: runId = "" } = {}] = await tracing.runs(id);
  await tracing.client.emulator.stop();
  await clockAdvance;
  store.stalled = false;
  const context = openContext(resolveSettings({ data }, routeNames()), data, {
    accessKeyId: "key",
    secretAccessKey: "secret",
  });
  const record = exportById(context.store, id);
  const first = runById(context.store, runId);
  if (!record || !first) throw new Error("The export run does not exist");
  updateRun(context, runId, { retry_number: 1 });
  const ended: string[] = [];
  const attempt = async (run: typeof first) => {
    executeAttempt(context, record, run, (_, exportId) => ended.push(exportId));
    await context.backgroundTasks.whenIdle();
    return runById(context.store, runId);
  };
  expect(await attempt(first)).toMatchObject({ status: "RUNNING", in_flight: true, retry_number: 1, result: null });
  expect(store.objects.size).toBe(1);
  expect(ended).toEqual([]);
  expect(await attempt({ ...first, retry_number: 1 })).toMatchObject({ status: "COMPLETED", retry_number: 1 });
  expect(ended).toEqual([id]);
  context.store.close();
});
