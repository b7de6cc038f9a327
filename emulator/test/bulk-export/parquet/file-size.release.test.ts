import { ParquetFixture, sessionId } from "../../support/bulk-export/parquet";

const fixture = new ParquetFixture();

test("the file of a partition has several row groups when it is large", async () => {
  fixture.loadMany(40_000, 1000);
  await fixture.export();
  const groups = "SELECT DISTINCT row_group_id, row_group_num_rows AS rows FROM {} ORDER BY 1";
  const rows = (await fixture.metadata("", groups)).map(({ rows }) => Number(rows));
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.reduce((a, b) => a + b)).toBe(40_000);
  const ownCount = `count(*) FILTER (session_id = '${sessionId}')`;
  const totals = `SELECT count(DISTINCT inputs) AS different, max(id) AS last, ${ownCount} AS own FROM {}`;
  expect(await fixture.read(totals)).toEqual([
    { different: "40000", last: "00000000-0000-4000-8000-000000039999", own: "40000" },
  ]);
});
