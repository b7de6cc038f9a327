/** The file prefix of an export, from the folders of its runs. */
import { findFilePrefix } from "../../../../provider/resources/bulk-export/completion";

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
