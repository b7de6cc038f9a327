/** No export is created twice: lost responses, equivalent exports, killed runs. */
import { RunState } from "../../../../provider/engine/run/run-state";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { failureOf } from "../../../support/errors";
import { startWorkspace, toSnakeCase, type Workspace } from "../../../support/exports/exports";
import { callTracingApi, tracingSettings } from "../../../support/exports/tracing";
import { startProxy } from "../../../support/servers/proxy";
import { expectClean, stateOf } from "../../../support/stack";
import { type SampleKind, sampleKinds } from "../all/kinds";

const POST = { method: "POST", path: "/api/v1/bulk-exports" };
const kinds = [
  ["BulkExport", (ws: Workspace, change?: PropertyMap) => ws.oneTime(change), "export"],
  ["ScheduledBulkExport", (ws: Workspace, change?: PropertyMap) => ws.daily(change), "schedule"],
] as const;

describe.each(kinds)("a %s", (kind, declare, noun) => {
  // @covers 10C.identical
  it("of a killed run is not created again, and the error shows the import option that adopts it", async () => {
    const ws = await startWorkspace();
    const declared = declare(ws);
    await ws.stack(kind).up(declared);
    const stack = ws.stack(kind);
    const [{ id } = { id: "" }] = (await ws.exports()).slice(-1);
    const { message } = await failureOf(stack.up(declared));
    const end = kind === "BulkExport" ? ` to ${declared.endTime}` : "";
    const what = { export: "export of", schedule: "schedule that exports" }[noun];
    const interval = kind === "BulkExport" ? "" : " every 24 hours";
    expect(message).toContain(
      `${what} project ${ws.sessionId}${interval} from ${declared.startTime}${end} already exists (ID ${id}).`,
    );
    for (const text of [`import: "${id}"`, "allowDuplicate: true"]) expect(message).toContain(text);
    expect(await stack.up(declared, stack.host(), { __import: id })).toBe("create");
    expect(stateOf(stack)).toMatchObject({ id, failed: false });
    await expectClean(stack, declared);
    expect(ws.requests({ method: "POST" })).toHaveLength(1);
  });

  it("is never confused with an equivalent one whose response was lost as well", async () => {
    const ws = await startWorkspace({}, { ...POST, connection: "reset-after", times: 2 });
    const declared = { ...declare(ws), allowDuplicate: true };
    const [one, two] = [ws.stack(kind, { name: "one" }), ws.stack(kind, { name: "two" })];
    const host = one.host();
    await Promise.all([one.up(declared, host), two.up(declared, host)]);
    expect(new Set([stateOf(one).id, stateOf(two).id]).size).toBe(2);
    expect(ws.requests({ method: "POST" })).toHaveLength(2);
  });
});

const allKinds = ["BulkExport", "ScheduledBulkExport", "BulkExportDestination"];

it.each(allKinds)("a %s that is declared twice in one program is created once", async (kind) => {
  const { platform, stack, declared } = await (sampleKinds[kind] as SampleKind).start();
  const host = stack.host();
  const ended = await Promise.allSettled([stack, stack.fork({ name: "two" })].map((one) => one.up(declared, host)));
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(platform.requests({ method: "POST", path: "/api/v1/**" })).toHaveLength(1);
});

it.each(allKinds)("a %s that another stack creates at the same time is reported", async (kind) => {
  const { platform, stack, declared, path } = await (sampleKinds[kind] as SampleKind).start();
  let twin = "";
  const url = await startProxy(platform.url, async ({ method, body }) => {
    const route = path("").replace(/^\/api\/v1\/|\/$/g, "");
    if (method === "POST") twin = (await callTracingApi(platform, "POST", route, body)).body.id;
    return undefined;
  });
  const other = stack.fork({ config: { ...tracingSettings(platform), tracingApiUrl: url } });
  await other.up(declared);
  expect(other.messages.filter((message) => message.startsWith("warn"))).toEqual([
    expect.stringMatching(new RegExp(`The (export|schedule|destination) ${twin} equals this one. Another resource`)),
  ]);
});

it.each(allKinds)("a %s is known to its run before the next request, and kept when that fails", async (kind) => {
  const { platform, stack, declared, path } = await (sampleKinds[kind] as SampleKind).start();
  const route = path("").replace(/\/$/, "");
  const run = new RunState();
  const managers: unknown[] = [];
  let isCreated = false;
  const url = await startProxy(platform.url, async ({ method, path: requested }) => {
    if (isCreated && requested === route) {
      const { body } = await callTracingApi(platform, "GET", route.replace("/api/v1/", ""));
      const [{ id }] = body as unknown as [{ id: string }];
      managers.push(run.objects.reasonToKeep({ kind, id, urn: "" }));
      return { status: 503 };
    }
    isCreated ||= method === "POST";
    return undefined;
  });
  const config = { ...tracingSettings(platform), tracingApiUrl: url };
  const { id } = await stack.stateAfter(declared, stack.host(config, run));
  expect(managers).toEqual([`${kind} ${id} was not deleted, because this run created it as ${stack.urn}.`]);
  expect(await stack.up(declared, stack.host(config))).toBe("same");
});

it("many exports that are created at once read the list of the workspace for all of them", async () => {
  const ws = await startWorkspace();
  const stacks = Array.from({ length: 20 }, (_, n) => ws.stack("BulkExport", { name: `export-${n}` }));
  const host = stacks[0]?.host();
  const declare = (n: number) => ws.oneTime({ startTime: `2025-12-01T00:${10 + n}:00Z` });
  await Promise.all(stacks.map((stack, n) => stack.up(declare(n), host)));
  expect(ws.requests({ method: "POST" })).toHaveLength(20);
  // Alone, each reads it before and after its creation. How many share a read depends on how busy the machine is.
  expect(ws.requests({ method: "GET", path: POST.path }).length).toBeLessThan(2 * 20);
});

it("a schedule of the same program that differs in one input is not reported", async () => {
  const ws = await startWorkspace();
  const nightly = ws.stack("ScheduledBulkExport", { name: "nightly" });
  await nightly.up(ws.daily());
  const weekly = ws.stack("ScheduledBulkExport", { name: "weekly" });
  const host = weekly.host();
  // The new schedule exists, and the program declares the other one after it.
  const { sleep } = ws.clock;
  ws.clock.sleep = async (milliseconds) => {
    ws.clock.sleep = sleep;
    expect(ws.requests({ method: "POST" })).toHaveLength(2);
    expect(await nightly.up(ws.daily(), host)).toBe("same");
    await sleep(milliseconds);
  };
  await weekly.up(ws.daily({ intervalHours: 168 }), host);
  expect(weekly.messages.filter((message) => message.startsWith("warn"))).toEqual([]);
});

describe("an export that a killed run left before the program changed", () => {
  const warningsOf = (stack: { messages: string[] }) =>
    stack.messages.filter((message) => message.includes("an interrupted run left it behind"));
  /** Returns the ID of what another process created. */
  const created = async (ws: Workspace, { allowDuplicate: _, ...declared }: PropertyMap) =>
    (await ws.callTracingApi("POST", "bulk-exports", toSnakeCase(declared))).body.id;

  it.each(kinds)(
    "is reported by the next create of a %s, with how to remove or keep it",
    async (kind, declare, noun) => {
      const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 9 });
      const declared = declare(ws);
      const id = await created(ws, declared);
      await ws.emulator.requestLog.clear();
      const stack = ws.stack(kind);
      await stack.up({ ...declared, filter: "eq(is_root, true)" });
      expect(ws.requests().slice(0, 2)).toEqual(["GET /api/v1/bulk-exports", "POST /api/v1/bulk-exports"]);
      expect(warningsOf(stack)).toEqual([
        expect.stringContaining(
          `The ${noun} ${id} differs from this one in filter alone. Another resource manages it, or an ` +
            "interrupted run left it behind.\nFirst check whether a stack manages it:  pulumi stack --show-ids\n",
        ),
      ]);
      // Pasting the command cancels nothing: its ID is a placeholder.
      expect(warningsOf(stack)[0]).toContain(`PATCH ${ws.url}/api/v1/bulk-exports/<ID> {"status":"Cancelled"}`);
      expect(warningsOf(stack)[0]).toContain(`\nor keep it as another resource:  import: "${id}"`);
    },
  );

  it.each<[string, object, number]>([
    ["that differs in more than one input", { filter: "eq(is_root, true)", exportFields: ["id"] }, 0],
    ["that is older than resumeWithin", { filter: "eq(is_root, true)" }, 3_700_000],
  ])("is not reported when it is %s", async (_what, change, age) => {
    const ws = await startWorkspace();
    const declared = ws.daily();
    await created(ws, declared);
    await ws.advance(age);
    const stack = ws.stack("ScheduledBulkExport");
    await stack.up({ ...declared, ...change });
    expect(warningsOf(stack)).toEqual([]);
  });

  it("is reported as one of three at most, and not when it has ended", async () => {
    const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 99 });
    const ids: string[] = [];
    for (const name of "abcde") ids.push(await created(ws, ws.oneTime({ filter: `eq(name, "${name}")` })));
    await ws.callTracingApi("PATCH", `bulk-exports/${ids[4]}`, { status: "Cancelled" });
    const stack = ws.stack("BulkExport");
    await stack.up(ws.oneTime());
    expect(warningsOf(stack).map((text) => ids.findIndex((id) => text.includes(id)))).toEqual([3, 2, 1]);
  });

  it("is reported when equivalent exports are allowed", async () => {
    const ws = await startWorkspace();
    const declared = ws.daily({ allowDuplicate: true });
    await created(ws, declared);
    const stack = ws.stack("ScheduledBulkExport");
    await stack.up(declared);
    expect(warningsOf(stack)).toEqual([expect.stringContaining("equals this one")]);
  });
});

it("an export of all experiments that exists already is named as such", async () => {
  const ws = await startWorkspace();
  const declared = ws.oneTime({ sessionId: undefined, allExperiments: true });
  await ws.stack("BulkExport").up(declared);
  await expect(ws.stack("BulkExport").up(declared)).rejects.toThrow(
    "export of all experiments from 2026-01-01T00:00:00Z",
  );
});

it("an equivalent export that has ended does not prevent a new one", async () => {
  const ws = await startWorkspace();
  await ws.stack("BulkExport").up(ws.oneTime({ waitFor: "completed" }));
  expect(await ws.stack("BulkExport").up(ws.oneTime())).toBe("create");
});

it("an equivalent export that a schedule spawned does not prevent a new one", async () => {
  const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 100 });
  const declared = ws.daily();
  await ws.stack("ScheduledBulkExport").up(declared);
  await ws.advance(60_000);
  const [{ start_time: startTime, end_time: endTime } = {} as PropertyMap] = (await ws.exports()).filter(
    (one) => one.end_time,
  );
  expect(await ws.stack("BulkExport").up(ws.oneTime({ startTime, endTime }))).toBe("create");
});
