/** What a read of an export means for its state, and the file prefix that follows from the folders of its runs. */
import { findFilePrefix } from "../../../../provider/resources/bulk-export/completion";
import { differingFields, toInputs } from "../../../../provider/resources/exports/mapping";
import { startWorkspace } from "../../../support/exports/exports";
import { stateOf } from "../../../support/stack";

const ALL = "/api/v1/bulk-exports";

/** Returns the stack of an export, and a function that sets the next response to a read of it. */
async function createExport() {
  const ws = await startWorkspace();
  const stack = ws.stack("BulkExport");
  const { id } = await stack.stateAfter(ws.oneTime());
  const respond = (body: object) =>
    ws.addFault({ method: "GET", path: `${ALL}/${id}`, status: 200, body: { id, ...body } } as never);
  return { ws, stack, id, respond };
}

it("a create of an export stores its time, and CREATED if the response omits the status", async () => {
  const { ws, stack, id } = await createExport();
  const [remote] = await ws.exports();
  const times = { createdAt: remote?.created_at, updatedAt: remote?.updated_at };
  expect(stateOf(stack)).toMatchObject({ id, outputs: { ...times, status: "CREATED" } });
  await ws.addFault({ method: "POST", path: ALL, status: 200, body: { id: "x" } });
  const other = ws.stack("BulkExport", { name: "other" });
  await other.up(ws.oneTime({ filter: "eq(is_root, true)" }));
  expect(stateOf(other)).toMatchObject({ id: "x", outputs: { status: "CREATED" } });
});

it("a refresh of an export keeps what the response omits, and stores what has changed", async () => {
  const { stack, respond } = await createExport();
  const { createdAt } = stateOf(stack).outputs;
  const changed = { status: "RUNNING", updatedAt: "2026-03-04T00:00:00+00:00" };
  await respond({ status: changed.status, updated_at: changed.updatedAt });
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).outputs).toMatchObject({ createdAt, ...changed });
  await respond({ status: "COMPLETED" });
  await stack.refresh();
  expect(stateOf(stack).outputs).toMatchObject({ createdAt, updatedAt: changed.updatedAt, status: "COMPLETED" });
});

it("a refresh of an export warns of an input that differs on the server, and plans no second export", async () => {
  const { ws, stack, respond } = await createExport();
  const [remote] = await ws.exports();
  stack.messages = [];
  await respond({ ...remote, compression: "gzip", filter: "eq(is_root, true)" });
  expect(await stack.refresh()).toBe("same");
  expect(stack.messages).toEqual([expect.stringMatching(/^warn: .*filter/)]);
  expect(stateOf(stack).inputs).not.toHaveProperty("compression");
});

it("a refresh of an export takes an empty text, an empty list and zero for an absent field", async () => {
  const { ws, stack, respond } = await createExport();
  const [remote] = await ws.exports();
  const { inputs } = stateOf(stack);
  await respond({ ...remote, filter: "", export_fields: [], interval_hours: 0 });
  expect(await stack.refresh()).toBe("same");
  expect(stateOf(stack).inputs).toEqual(inputs);
});

it("a refresh of an export that is still running requests no totals", async () => {
  const { ws, stack } = await createExport();
  await ws.emulator.requestLog.clear();
  await stack.refresh();
  expect(ws.requests()).toEqual([`GET ${ALL}/{id}`]);
});

// @covers 2C.Export job:sparse
it("an export is the declared one, also in an import, if its response lacks the form of its files", () => {
  const target = { bulkExportDestinationId: "d", sessionId: "s", startTime: "2026-01-01T00:00:00Z" };
  const declared = { ...target, format: "Parquet", formatVersion: "v2_beta", compression: "gzip" };
  expect(differingFields({ ...target, id: "x" }, declared)).toEqual([]);
  expect(toInputs({ ...target, id: "x" }, declared, true)).toEqual(declared);
});

const runs = (...prefixes: (string | null | undefined)[]) =>
  prefixes.map((prefix, index) => ({ id: String(index), metadata: { prefix } }));

// @covers 2C.Output layout:older, 10C.path
it.each([
  ["up to the export's ID", runs("a/b/export_id=e/tenant_id=t/session_id=s/runs/year=2026"), "a/b/export_id=e/"],
  ["for several projects", runs("p/export_id=e/session_id=1", "p/export_id=e/session_id=2"), "p/export_id=e/"],
  ["without a prefix of the destination", runs("export_id=e/tenant_id=t"), "export_id=e/"],
  ["where the layout is another one", runs("p/x/2026/01", "p/x/2026/02"), "p/x/2026/"],
  ["where the folders share nothing", runs("p/1", "q/1"), undefined],
  ["where a run has no prefix", runs(null, undefined, "/p/export_id=e/"), "p/export_id=e/"],
  ["where there are no runs", [], undefined],
])("findFilePrefix %s", (_what, runs, expected) => {
  expect(findFilePrefix("e", runs)).toBe(expected);
});
