import { bulkExports, TracingClient } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";

const dataset = "99999999-9999-4999-8999-999999999999";
const scheduled = { end_time: undefined, interval_hours: 24, start_time: "2100-01-01T00:00:00Z" };
const limited = { export_fields: ["id"] };
const experiments = { session_id: undefined, all_experiments: true };

// @covers 9.item 3
test.each([
  ["0.10.108", scheduled, "0.10.109"],
  ["0.10.109", scheduled, undefined],
  ["0.12.41", limited, "0.12.42"],
  ["0.12.42", limited, undefined],
  ["0.16.0", experiments, "0.16.1rc1"],
  ["0.16.1rc1", experiments, undefined],
  ["0.16.1", experiments, undefined],
  ["0.9.0", {}, undefined],
])("an export on version %s with %j requires version %s", async (appVersion, change, requiredVersion) => {
  const tracing = new TracingClient(await start({ strict: true, edition: "self-hosted", appVersion }));
  await tracing.project("experiment", dataset);
  const response = await tracing.post(bulkExports, await tracing.threeDayExport(change));
  expect(response.status).toBe(requiredVersion === undefined ? 200 : 400);
  const reason = `needs application version ${requiredVersion} or later: this installation is ${appVersion}`;
  if (requiredVersion) expect(response.body.detail).toMatch(new RegExp(`${reason}$`));
});

test("an invalid version is a usage error", async () => {
  await expect(start({ appVersion: "new" })).rejects.toThrow("expected a version such as 0.12.42");
});

// @covers 9.item 2
test.each([bulkExports, `${bulkExports}/destinations`, "/api/v1/sessions"])(
  "%s exists only with its version prefix",
  async (path) => {
    const tracing = new TracingClient(await start({ strict: path.endsWith("sessions") }));
    expect((await tracing.get(path)).status).toBe(200);
    expect((await tracing.get(path.replace("/api/v1", ""))).status).toBe(404);
    expect((await tracing.get(path.replace("v1", "v2"))).status).toBe(404);
  },
);

// @covers 2C.Export job.format_version, 9.item 2
test.each([
  ["v2_beta", 200],
  ["v1", 200],
  ["v3", 422],
])("the format version %s returns %d", async (format_version, status) => {
  const tracing = new TracingClient(await start({ strict: true }));
  expect((await tracing.post(bulkExports, await tracing.threeDayExport({ format_version }))).status).toBe(status);
});
