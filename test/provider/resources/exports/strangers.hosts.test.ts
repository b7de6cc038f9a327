/**
 * A stranger's export, schedule or destination on the paths that change or delete one: the rows of
 * docs/internal/ownership.md.
 */
import type { PropertyMap } from "../../../../provider/schema/schema";
import {
  createDestination,
  destination,
  destinationStack,
  destinationsIn,
} from "../../../support/exports/destinations";
import { startExport, startWorkspace, toSnakeCase, type Workspace } from "../../../support/exports/exports";
import { stateOf } from "../../../support/stack";

const EXPORTS = "/api/v1/bulk-exports";
const kinds = [
  ["BulkExport", (ws: Workspace, change?: PropertyMap) => ws.oneTime(change)],
  ["ScheduledBulkExport", (ws: Workspace, change?: PropertyMap) => ws.daily(change)],
] as const;

/** Creates what another stack has. */
const strangers = async (ws: Workspace, declared: PropertyMap) =>
  (await ws.callTracingApi("POST", "bulk-exports", toSnakeCase(declared))).body;

describe.each(kinds)("a stranger's %s", (kind, declare) => {
  it("is not managed when the server returns its ID for a create, and stays as it is", async () => {
    const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 99 });
    const other = await strangers(ws, declare(ws));
    await ws.addFault({ method: "POST", path: EXPORTS, status: 200, body: other });
    const stack = ws.stack(kind);
    await expect(stack.up(declare(ws, { startTime: "2025-12-01T00:00:00Z" }))).rejects.toThrow(
      `the server returned ID ${other.id}, which another resource has`,
    );
    expect(stack.state).toBeUndefined();
    expect(ws.requests({ method: "PATCH" })).toEqual([]);
  });

  it("that a proxy returns for ours neither changes the state nor is canceled", async () => {
    const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 99 });
    const other = await strangers(ws, declare(ws, { filter: 'eq(name, "other")' }));
    const stack = ws.stack(kind);
    const { id } = await stack.stateAfter(declare(ws));
    await ws.addFault({ method: "GET", path: `${EXPORTS}/${id}`, status: 200, body: other, times: 99 });
    await expect(stack.refresh()).rejects.toThrow(`The server returned ${other.id} for a request of ${id}.`);
    await expect(stack.destroy()).rejects.toThrow(`The server returned ${other.id} for a request of ${id}.`);
    expect(stateOf(stack).id).toBe(id);
    expect(ws.requests({ method: "PATCH" })).toEqual([]);
  });

  it("that a proxy returns for the cancellation of ours does not count as canceled", async () => {
    const { ws, stack } = await startExport(kind, { faults: [{ export_run: { stalls: true }, times: 99 }] });
    const { id } = await stack.stateAfter(declare(ws));
    await ws.addFault({ method: "PATCH", path: `${EXPORTS}/*`, status: 200, body: { id: "x", status: "Cancelled" } });
    await expect(stack.destroy()).rejects.toThrow(`The server returned x for a request of ${id}.`);
    expect(stateOf(stack).id).toBe(id);
  });

  it("beside ours keeps running after ours is destroyed, with what it spawned", async () => {
    const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 99 });
    const other = await strangers(ws, declare(ws, { filter: 'eq(name, "other")' }));
    const stack = ws.stack(kind);
    await stack.up(declare(ws, kind === "ScheduledBulkExport" ? { cancelSpawned: true } : {}));
    await ws.advance(60 * 60_000);
    const { id } = stateOf(stack);
    await stack.destroy();
    const ownerOf = (one: PropertyMap) => one.source_bulk_export_id ?? one.id;
    const canceled = (await ws.exports()).filter(({ status }) => /cancel/i.test(String(status)));
    expect(new Set(canceled.map(ownerOf))).toEqual(new Set([id]));
    expect(ownerOf(other)).not.toBe(id);
  });
});

describe("a stranger's BulkExportDestination", () => {
  it("is not managed when the server returns its ID for a create, and keeps its credentials", async () => {
    const { platform, id } = await createDestination();
    const [other] = await destinationsIn(platform);
    await platform.addFault({
      ...{ method: "POST", path: "/api/v1/bulk-exports/destinations", status: 200 },
      body: other as never,
    });
    const second = destinationStack(platform, { name: "second" });
    await expect(second.up(destination(platform, { displayName: "another" }))).rejects.toThrow(
      `the server returned ID ${id}, which another resource has`,
    );
    expect(second.state).toBeUndefined();
    expect([...platform.requests({ method: "PATCH" }), ...platform.requests({ method: "DELETE" })]).toEqual([]);
  });

  it("that a proxy returns for the rotation of ours does not count as rotated", async () => {
    const { platform, stack, id } = await createDestination();
    await platform.addFault({ method: "PATCH", status: 200, body: { id: "x" } });
    const rotated = destination(platform, { credentials: { sessionToken: "next" } });
    await expect(stack.up(rotated)).rejects.toThrow(`The server returned x for a request of ${id}.`);
    expect(await stack.up(rotated)).toBe("update");
  });
});
