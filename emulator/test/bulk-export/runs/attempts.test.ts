import { ask, destinationIn, keys, makeDestination } from "../../support/bucket/client";
import { startStore } from "../../support/bucket/stand-in-store";
import { aMoment, bulkExports, Tracing } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";
import { newFolder } from "../../support/folder";

const run = { name: "r", start_time: "2026-01-01T12:00:00Z" };
const oneDay = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-02T00:00:00Z" };

async function prepared(options: object = {}) {
  const tracing = new Tracing(await start({ strict: true, ...options }));
  const { session_id } = await tracing.client.emulator.loadRuns({ project: "agent" }, [run]);
  return { tracing, session_id, bucket: tracing.client.emulator.bucket };
}

/** An export whose file is on its way to a store that does not answer; `moved` is kept when the clock got through. */
async function stalled(options: object = {}) {
  const { tracing, session_id, bucket } = await prepared(options);
  let arrived: () => void = () => {};
  const store = await startStore(() => arrived());
  const destination = await tracing.post(
    `${bulkExports}/destinations`,
    destinationIn(bucket, { endpoint_url: store.url }),
  );
  store.stalled = true;
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const { id } = await tracing.create({ bulk_export_destination_id: destination.body.id, session_id, ...oneDay });
  const moved = tracing.client.advance(aMoment).catch((error: unknown) => error);
  await asked;
  return { tracing, store, id, moved };
}

describe("an export that is cancelled while its file is on its way", () => {
  test("leaves no file, and keeps its status when the bucket responds later", async () => {
    const { tracing, store, id, moved } = await stalled();
    expect(await tracing.runs(id)).toMatchObject([{ status: "RUNNING" }]);
    expect((await tracing.cancel(id)).body.status).toBe("CANCELLED");
    // Kept only once the upload has been given up.
    expect(await moved).not.toBeInstanceOf(Error);
    store.stalled = false;
    await tracing.client.advance(60_000);
    expect(await tracing.runs(id)).toMatchObject([{ status: "CANCELLED", errors: null, metadata: { result: null } }]);
    expect((await tracing.export(id)).status).toBe("CANCELLED");
    expect([...store.objects.keys()]).toEqual([]);
  });
});

describe("a bucket that is removed in the middle", () => {
  test("makes the run wait, tell why, and go on once it is back", async () => {
    const { tracing, session_id, bucket } = await prepared();
    const bulk_export_destination_id = await makeDestination(tracing);
    expect((await ask(bucket, "DELETE", "exports")).status).toBe(204);
    const { id } = await tracing.create({ bulk_export_destination_id, session_id, ...oneDay });
    await tracing.client.advance(aMoment + 30_000);
    const [waiting] = await tracing.runs(id);
    expect(waiting).toMatchObject({ status: "RUNNING", retry_number: 1 });
    expect(Object.values(waiting?.errors ?? {})).toEqual(Array(2).fill(expect.stringContaining("Bucket is not valid")));
    expect((await ask(bucket, "PUT", "exports")).status).toBe(200);
    await tracing.client.advance(30_000);
    expect(await tracing.runs(id)).toMatchObject([{ status: "COMPLETED", retry_number: 2 }]);
    expect(await keys(bucket)).toHaveLength(1);
  });
});

describe("credentials that no longer work", () => {
  test("fail the runs until they are rotated", async () => {
    const { tracing, session_id, bucket } = await prepared();
    const { config, credentials } = destinationIn(bucket);
    const wrong = { ...credentials, secret_access_key: "old" };
    const { destinations } = await tracing.client.emulator.seed({ destinations: [{ config, credentials: wrong }] });
    const [destination = ""] = destinations ?? [];
    const { id } = await tracing.create({ bulk_export_destination_id: destination, session_id, ...oneDay });
    await tracing.client.advance(aMoment);
    expect(await tracing.runs(id)).toMatchObject([{ errors: { retry_0: expect.stringContaining("signature") } }]);
    expect((await tracing.patch(`${bulkExports}/destinations/${destination}`, { credentials })).status).toBe(200);
    await tracing.client.advance(30_000);
    expect((await tracing.export(id)).status).toBe("COMPLETED");
    expect(await keys(bucket)).toHaveLength(1);
  });
});

test("an emulator that is stopped while writing a file resumes it at the next start", async () => {
  const data = newFolder();
  const { tracing, store, id, moved } = await stalled({ data });
  await tracing.client.emulator.stop();
  await moved;
  store.stalled = false;
  const again = new Tracing(await start({ strict: true, data }));
  await again.client.advance(aMoment);
  expect(await again.runs(id)).toMatchObject([{ status: "COMPLETED", retry_number: 0, errors: null }]);
  expect(store.objects.size).toBe(1);
});
