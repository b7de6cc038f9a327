import { defaultTenantId } from "../../src/index";
import { postRuns, queryDatabase, run, uuid } from "../support/bulk-export/load-runs";
import { start } from "../support/emulator";
import { newFolder } from "../support/folder";

const validLine = JSON.stringify(run(1));
const invalidLines = [
  ["{", "line 3: invalid JSON: Expecting property name enclosed in double quotes at character 1"],
  ["[]", "line 3: expected a JSON object (one run per line)"],
  ["{}", "line 3: name is required"],
  ['{"name":"a"}', "line 3: start_time is required"],
  [JSON.stringify({ ...run(2), nmae: 1 }), 'line 3: unknown field "nmae"; did you mean name?'],
  [JSON.stringify({ ...run(2), id: "2" }), "line 3: id: expected a UUID"],
  [JSON.stringify({ ...run(2), start_time: "soon" }), "line 3: start_time: expected an ISO 8601 time such as"],
  [JSON.stringify({ ...run(2), end_time: "2026-02-30" }), "line 3: end_time: expected an ISO 8601 time"],
  [JSON.stringify({ ...run(2), end_time: "2026-01-02" }), "line 3: end_time: must not be before start_time"],
  [JSON.stringify({ ...run(2), total_tokens: 1.5 }), "line 3: total_tokens: expected a whole number"],
  [JSON.stringify({ ...run(2), total_cost: "1" }), "line 3: total_cost: expected a number"],
  [JSON.stringify({ ...run(2), tags: "a" }), "line 3: tags: expected a list of strings"],
  [JSON.stringify({ ...run(2), is_root: 1 }), "line 3: is_root: expected true or false"],
  [JSON.stringify({ ...run(2), is_root: false }), "line 3: is_root: must be true without a parent_run_id"],
  [JSON.stringify({ ...run(2), name: 5 }), "line 3: name: expected a string"],
  [JSON.stringify({ ...run(2), tenant_id: uuid(1) }), `line 3: tenant_id: runs are loaded into ${defaultTenantId}`],
  [JSON.stringify({ ...run(2), parent_run_id: uuid(9) }), `line 3: parent_run_id: ${uuid(9)} is not loaded yet`],
  [JSON.stringify({ ...run(2), parent_run_id: uuid(1), dotted_order: "x" }), "line 3: dotted_order: expected segments"],
  [JSON.stringify({ ...run(2), feedback: {} }), "line 3: feedback: expected a list"],
  [JSON.stringify({ ...run(2), feedback: [{ score: 1 }] }), "line 3: feedback[0].key: expected a non-empty string"],
  [JSON.stringify({ ...run(2), feedback: [{ key: "a", score: "1" }] }), "line 3: feedback[0].score: expected a number"],
  [JSON.stringify({ ...run(2), feedback: [{ key: "a", vale: 1 }] }), "did you mean value?"],
  [JSON.stringify({ ...run(2), feedback: [{ key: "a" }], feedback_stats: {} }), "omit one of them"],
  [validLine, `line 3: id: run ${uuid(1)} already exists`],
  [`{"inputs":${"[".repeat(600)}${"]".repeat(600)}}`, "line 3: nested deeper than 500 levels"],
  ["[".repeat(200_000), "line 3: invalid JSON: Nested too deeply"],
].map(([line = "", message = ""]) => ({ line, message }));

test.each(invalidLines)("an invalid run is rejected with $message; nothing is stored", async ({ line, message }) => {
  const data = newFolder();
  const response = await postRuns(await start({ data }), `${validLine}\n\n${line}\n${validLine}\n`);
  expect(response.status).toBe(422);
  expect(response.body.detail).toContain(message);
  for (const table of ["runs", "feedback", "projects", "loads"])
    expect(queryDatabase(data, `SELECT * FROM ${table}`)).toEqual([]);
});
