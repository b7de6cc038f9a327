import type { PropertyMap } from "../../../../provider/schema/schema";
import { failureOf } from "../../../support/errors";
import { startWorkspace } from "../../../support/exports/exports";
import { stateOf } from "../../../support/stack";

describe("an import of an export", () => {
  const imports = async (change: PropertyMap, declared: PropertyMap = {}) => {
    const ws = await startWorkspace();
    await ws.stack("BulkExport").up(ws.oneTime(change));
    const [{ id } = { id: "" }] = await ws.exports();
    const stack = ws.stack("BulkExport");
    return { ws, stack, id, act: () => stack.up(ws.oneTime(declared), stack.host(), { __import: id }) };
  };

  it("adopts a matching export, whatever format and compression the server chose", async () => {
    const { stack, id, act } = await imports(
      { compression: "gzip", exportFields: ["id", "name"] },
      { exportFields: ["name", "id"] },
    );
    await act();
    expect(stateOf(stack).id).toBe(id);
  });

  // @covers 2C.Export job:source
  it.each([
    ["an undeclared filter", { filter: "eq(is_root, true)" }, {}, /filter: server has "eq.*program has nothing/],
    ["no filter where one is declared", {}, { filter: "eq(is_root, true)" }, /filter: server has nothing/],
    ["other fields", { exportFields: ["id"] }, { exportFields: ["id", "name"] }, /exportFields/],
    ["another end", { endTime: "2026-01-03T00:00:00Z" }, {}, /endTime/],
    ["another compression", { compression: "gzip" }, { compression: "snappy" }, /compression: server has "gzip"/],
  ])("rejects %s and changes nothing", async (_what, change, declared, expected) => {
    const { ws, stack, act } = await imports(change, declared);
    await expect(act()).rejects.toThrow(expected);
    expect([stack.state, (await ws.exports()).length]).toEqual([undefined, 1]);
  });

  it("rejects an export of the other type and names its type", async () => {
    const ws = await startWorkspace();
    const stacks = { export: ws.stack("BulkExport"), schedule: ws.stack("ScheduledBulkExport") };
    await stacks.export.up(ws.oneTime());
    await stacks.schedule.up(ws.daily());
    const [one, two] = [ws.stack("BulkExport"), ws.stack("ScheduledBulkExport")];
    const wrong = [
      failureOf(one.up(ws.oneTime(), one.host(), { __import: stateOf(stacks.schedule).id })),
      failureOf(two.up(ws.daily(), two.host(), { __import: stateOf(stacks.export).id })),
    ];
    expect((await Promise.all(wrong)).map(({ message }) => message)).toEqual([
      expect.stringContaining("declare it as a ScheduledBulkExport"),
      expect.stringContaining("declare it as a BulkExport"),
    ]);
  });
});
