/** What `agentgraph doctor` reports about the quotas of exports, and about the prefix of a control plane. */
import { checkServers } from "../../../cli/doctor/service";
import type { CommandContext } from "../../../cli/shared/subcommand";
import { read } from "../../provider/settings/support/settings";
import { tracingSettings } from "../../support/exports/tracing";
import { startPlatform } from "../../support/platform";
import { startRewritingProxy } from "../../support/servers/rewriting-proxy";

test.each([
  ["creations", "created in the last hour", 224, "ok"],
  ["creations", "created in the last hour", 225, "note"],
  ["schedules", "active schedules", 179, "ok"],
  ["schedules", "active schedules", 180, "note"],
])(
  "the limit of %s (%s) with %d exports is reported as %s: from nine tenths on as a note",
  async (id, what, count, status) => {
    const platform = await startPlatform();
    const isSchedule = id === "schedules";
    const created_at = new Date(platform.clock.now() - (isSchedule ? 7_200_000 : 60_000)).toISOString();
    const fields = isSchedule ? { interval_hours: 24, status: "RUNNING" } : { status: "COMPLETED" };
    const body = Array.from({ length: count }, (_, number) => ({ id: `e-${number}`, created_at, ...fields }));
    await platform.emulator.faults.add({ method: "GET", path: "/api/v1/bulk-exports", status: 200, body, times: 2 });
    const settings = read({ apiKey: "k", ...tracingSettings(platform) });
    const groups = await checkServers(settings, { now: platform.clock.now } as CommandContext);
    expect(groups.flatMap(({ checks }) => checks)).toContainEqual(
      expect.objectContaining({ id, status, message: expect.stringMatching(new RegExp(`^${count} of .*${what}$`)) }),
    );
  },
);

test("the prefix of a self-hosted control plane is shown where no setting names it", async () => {
  const platform = await startPlatform();
  const { url } = await startRewritingProxy(platform, () => undefined, {
    forward: (path) => path.replace(/^\/api-host/, ""),
    page: (path) => (/^\/api(-host|\/v1)\//.test(path) ? undefined : { status: 200, text: "<html>Studio</html>" }),
  });
  const [control] = await checkServers(read({ apiKey: "k", url }), { now: platform.clock.now } as CommandContext);
  expect(control?.checks[0]).toEqual({
    ...{ id: "connection", status: "ok" },
    message: "found below /api-host: reachable; API key accepted",
  });
});
