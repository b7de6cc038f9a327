import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { queryParquet } from "../../support/bucket/client";
import { startFakeStore } from "../../support/bucket/fake-object-store";
import { bodyAs, bulkExports, day, type ExportBody, headers, type RunBody } from "../../support/bulk-export/exports";
import { uuid } from "../../support/bulk-export/load-runs";
import { type RunningEmulator, startCommand } from "../../support/cli/command";
import { type ApiResponse, request } from "../../support/emulator";
import { newFolder } from "../../support/folder";

/** Past days, each a window of the schedule with ten runs. */
const windows = 6;

interface EmulatorProcess {
  kill: RunningEmulator["kill"];
  send(method: string, path: string, body?: unknown): Promise<ApiResponse>;
}

/**
 * Starts the command with speed instant: jobs run before the response, and the uploads that they start continue in the
 * background.
 */
async function startProcess(data: string): Promise<EmulatorProcess> {
  const { url, kill } = await startCommand("--speed", "instant", "--data", data);
  return { kill, send: (method, path, body) => request(url, method, path, body, headers()) };
}

/** Creates a destination in the test's store, loads runs, and returns the body of a schedule for the past days. */
async function prepareSchedule({ send }: EmulatorProcess, endpoint_url: string): Promise<object> {
  const destination = await send("POST", `${bulkExports}/destinations`, {
    display_name: "store",
    config: { bucket_name: "exports", prefix: "p", endpoint_url },
    credentials: { access_key_id: "a", secret_access_key: "s" },
  });
  const begin = (Math.floor(Date.now() / day) - windows) * day;
  const lines = [...Array(windows * 10).keys()].map((number) => {
    const start_time = new Date(begin + (number * day) / 10).toISOString();
    return JSON.stringify({ id: uuid(number), name: "r", start_time });
  });
  const loaded = await send("POST", "/_emulator/runs?project=agent", lines.join("\n"));
  const { session_id } = bodyAs<{ session_id: string }>(loaded.body);
  const schedule = { start_time: new Date(begin).toISOString(), interval_hours: 24, session_id };
  return { bulk_export_destination_id: destination.body.id, ...schedule };
}

describe("kill -9 during exports,", () => {
  // @covers 3.3
  test.each([
    ["while the first file is uploaded", 1, true],
    ["while a later file is uploaded", 3, true],
    ["when the first file is complete", 1, false],
    ["when several files are complete", 4, false],
  ])(
    "%s, neither loses nor repeats a window, and leaves no partial file",
    async (_, files, stalls) => {
      const data = newFolder();
      const first = await startProcess(data);
      let objectCount = -1;
      const { promise: exited, resolve: onKilled } = Promise.withResolvers<void>();
      const store = await startFakeStore(() => {
        // The first object is the probe of the destination.
        objectCount++;
        if (objectCount !== files) return;
        store.stalled = stalls;
        onKilled(first.kill());
      });
      const schedule = await prepareSchedule(first, store.url);
      // The process may exit before it responds; the schedule was committed before the first file.
      await first.send("POST", bulkExports, schedule).catch(() => undefined);
      await exited;
      store.stalled = false;

      const second = await startProcess(data);
      await second.send("POST", "/_emulator/clock", { advance_ms: 5000 });
      const exports = bodyAs<ExportBody[]>((await second.send("GET", bulkExports)).body).reverse();
      const spawned = exports.filter((one) => one.source_bulk_export_id !== null);
      expect(exports.length - spawned.length).toBe(1);
      expect(spawned.map((one) => one.status)).toEqual(spawned.map(() => "Completed"));
      const starts = spawned.map((one) => Date.parse(one.start_time));
      expect(starts).toEqual(starts.map((_, index) => (starts[0] ?? 0) + index * day));
      expect(starts.length).toBeGreaterThanOrEqual(windows - 1);

      const runs = await Promise.all(
        spawned.map(async ({ id }) => bodyAs<RunBody[]>((await second.send("GET", `${bulkExports}/${id}/runs`)).body)),
      );
      const reportedFiles = runs.flat().flatMap(({ metadata }) => metadata.result?.exported_files ?? []);
      expect([...store.objects.keys()].sort()).toEqual([...reportedFiles].sort());
      const folder = newFolder();
      const localFiles = [...store.objects.values()].map((content, index) => {
        const file = join(folder, `${index}.parquet`);
        writeFileSync(file, content);
        return file;
      });
      const rows = await queryParquet(localFiles, "SELECT id FROM {} ORDER BY id");
      expect(rows.map(({ id }) => id)).toEqual([...Array(spawned.length * 10).keys()].map(uuid));
    },
    30_000,
  );
});
