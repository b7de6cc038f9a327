/** Changes that restart a BulkExport. */
import { startWorkspace } from "../../../support/exports";
import { stateOf } from "../../../support/stack";

describe("a BulkExport is restarted by a change of", () => {
  const changes = {
    startTime: "2026-01-02T00:00:00Z",
    endTime: "2026-01-03T00:00:00Z",
    filter: "eq(is_root, true)",
    exportFields: ["id", "name"],
    compression: "gzip",
    formatVersion: "v1",
    format: "Parquet",
  };
  it.each(Object.entries(changes))("%s", async (field, value) => {
    const ws = await startWorkspace();
    const stack = ws.stack("BulkExport");
    await stack.up(ws.oneTime());
    const { id } = stateOf(stack);
    expect(await stack.up(ws.oneTime({ [field]: value }))).toBe("replace");
    expect(stack.messages).toContain(`info: restarts the export: ${field}`);
    const remoteStatuses = (await ws.exports()).map((remote) => [remote.id, remote.status]);
    expect(remoteStatuses).toEqual([
      [stateOf(stack).id, "CREATED"],
      [id, "CANCELLED"],
    ]);
  });

  it("sessionId to allExperiments", async () => {
    const ws = await startWorkspace();
    const stack = ws.stack("BulkExport");
    await stack.up(ws.oneTime());
    expect(await stack.up(ws.oneTime({ sessionId: undefined, allExperiments: true }))).toBe("replace");
    expect(stack.messages).toContain("info: restarts the export: sessionId, allExperiments");
  });
});
