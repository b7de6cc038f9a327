import { Store } from "../../../src/runtime/storage/store";
import { compileFilter, FilterError } from "../../../src/tracing/filter/index";
import { insertRuns } from "../../../src/tracing/store-runs";
import { tables as tracing } from "../../../src/tracing/tables";
import { newFolder } from "../../support/folder";
import { runId, runs } from "./runs";

let store: Store;
beforeAll(() => {
  store = new Store(newFolder(), [tracing]);
  insertRuns(store, runId(100), runId(101), runs);
});
afterAll(() => store.close());

/** The numbers of the runs that a filter selects. */
function selectRuns(filter: string): string {
  const { sql, params } = compileFilter(filter);
  const rows = store.all(`SELECT r.id FROM runs AS r WHERE ${sql} ORDER BY r.id`, ...params);
  return rows.map((row) => Number(String(row.id).slice(-12))).join(" ");
}

// Worked out manually from support/filter/runs.ts.
const validFilters: [filter: string, numbers: string][] = [
  [`eq(run_type, 'llm')`, "2 6"],
  [`eq(name, 'it\\'s "quoted"')`, "6"],
  [`eq(name, "it's \\"quoted\\"")`, "6"],
  [`eq(name, "Ünïcode 🚀")`, "7"],
  [`eq(name, "\\u00dcn\\u00efcode \\ud83d\\ude80")`, "7"],
  [`eq(name, "x' OR 1 = 1 --")`, ""],
  [`eq(id, "${runId(4).replaceAll("-", "")}")`, "4"],
  [`gte(start_time, "2026-01-02T01:00:00+01:00")`, "4 5 6 7 8"],
  [`lt(start_time, "2026-01-02")`, "1 2 3"],
  [`eq(start_time, "2026-01-03T23:59:59.999999Z")`, "8"],
  [`lt(start_time, "2026-01-01T00:00:00.100001Z")`, "1 2"],
  ["eq(end_time, null)", "5"],
  [`lte(end_time, "2026-01-01T00:00:02")`, "1 2 3"],
  [`gt(latency, "5s")`, "4 8"],
  [`gte(latency, "500ms")`, "1 2 4 6 8"],
  [`gt(latency, "2m")`, "8"],
  ["eq(latency, null)", "5"],
  ["gt(total_tokens, 99)", "1 2 8"],
  ["lt(total_tokens, 1)", "6"],
  ["eq(completion_tokens, null)", "3 5 7"],
  ["gte(total_cost, 5e-1)", "4 8"],
  ["lt(total_cost, -1)", ""],
  [` and ( eq ( run_type , "llm" ) ,\n\teq(is_root,false) ) `, "2"],
  [`and(eq(metadata_key, "version"), eq(metadata_value, 3))`, "1"],
  [`and(eq(metadata_key, "version"), eq(metadata_value, "3"))`, "6"],
  [`and(eq(feedback_key, "correctness"), gt(feedback_score, 0.5))`, "1 8"],
  [`and(eq(feedback_key, "correctness"), eq(feedback_score, null))`, "6"],
  [`search("PROD")`, "2"],
  [`search("one\\nline")`, "8"],
  [`search("nline")`, ""],
  [`search("nested")`, ""],
  [`search("RUST")`, "1 3 6"],
  [`search("%")`, "8"],
  [`search(name, "HAT")`, "1 4 5"],
  [`search(error, "30S")`, "3"],
  [`neq(run_type, "chain")`, "2 3 6 7"],
  [`in(name, ["chat", "100%"])`, "1 4 5 8"],
  ["in(name, [])", ""],
  [`eq(status, "error")`, "3 7"],
  ["neq(error, null)", "3 7"],
  [`in(error, [null, "Timeout: 30s"])`, "1 2 3 4 5 6 8"],
  ["eq(is_root, true)", "1 4 5 6 7 8"],
  [`eq(parent_run_id, "${runId(1)}")`, "2 3"],
  [`neq(parent_run_id, "${runId(1)}")`, "1 4 5 6 7 8"],
  [`in(trace_id, ["${runId(1)}", "${runId(4)}"])`, "1 2 3 4"],
  [`neq(id, "${runId(4)}")`, "1 2 3 5 6 7 8"],
  [`neq(end_time, "2026-01-02T00:00:06Z")`, "1 2 3 5 6 7 8"],
  ["lte(prompt_tokens, 10)", "4 6"],
  ["neq(total_cost, 0.01)", "3 4 5 6 7 8"],
  ["in(latency, [2, 0.2])", "1 3"],
  [`has(tags, "prod")`, "1 3"],
  [`has(tags, "a\\"b")`, "8"],
  [`or(eq(name, "100%"), and(eq(run_type, "tool"), eq(is_root, true)))`, "7 8"],
  [`eq(metadata_key, "env")`, "1 4 7"],
  [`in(metadata_value, [3, true])`, "1 4"],
  [`neq(metadata_value, "prod")`, "1 2 4 6 7"],
  [`and(eq(metadata_value, "prod"), eq(metadata_key, "env"))`, "1"],
  [`or(eq(metadata_value, "prod"), eq(metadata_key, "env"))`, "1 4 7"],
  ["gte(feedback_score, 0.9)", "1 4 8"],
  ["lt(feedback_score, 0.5)", "4"],
  [`and(in(feedback_key, ["helpful", "tone"]), lt(feedback_score, 0.5))`, ""],
];

// @covers 2C.Export job.filter, 2C.Filter, 2C.Filter:values, 2C.Filter:fields, 2C.Filter:pairs
test.each(validFilters)("the filter %s selects the runs %j", (filter, numbers) => {
  expect(selectRuns(filter)).toBe(numbers);
});

const nestedFilter = (levels: number) => `${"and(".repeat(levels)}eq(name, "chat")${")".repeat(levels)}`;

const invalidFilters: [filter: string, position: number, message: string][] = [
  ["", 0, "expected a comparator (and, or, eq, neq, gt, gte, lt, lte, has, in, search), found the end at 0"],
  [`EQ(name, "a")`, 0, "expected a comparator"],
  ["eq", 2, `expected "(", found the end at 2`],
  ["eq(", 3, "expected a field, found the end"],
  ["eq(name", 7, `expected ",", found the end`],
  ["eq(name,)", 8, `expected a value (a text in quotes, a number, true, false, null or a list), found ")" at 8`],
  [`eq(name,"a"`, 11, `expected ")", found the end`],
  [`eq(name,"a")x`, 12, "expected the end of the filter"],
  [`eq(name,"a") eq(name,"b")`, 13, "combine conditions with and(…)"],
  [`eq(name,"a`, 8, `the text that starts here has no closing " at 8`],
  [`eq(name,"a\\x")`, 10, `invalid escape sequence; expected one of " ' \\ / n r t b f u after the backslash at 10`],
  [`eq(name,"\\u12")`, 9, "four hexadecimal digits"],
  ["eq(name,llm)", 8, "found llm at 8"],
  [`eq("llm",name)`, 3, `expected a field, found the text "llm" at 3`],
  [`eq(nmae,"a")`, 3, "unknown field nmae; did you mean name? at 3"],
  [`and(eq(name,"a"),or(eq(Latency,5)))`, 23, "did you mean latency?"],
  [`eq(__proto__,"a")`, 3, "unknown field __proto__"],
  [`eq(name,"a","b")`, 11, `expected ")", found "," at 11`],
  ["eq(name,5)", 8, "expected a text in quotes at 8"],
  [`gt(name,"a")`, 0, "name does not support gt; expected one of eq, neq, in, search at 0"],
  [`eq(tags,"a")`, 0, "tags does not support eq; expected one of has"],
  [`eq(is_root,"true")`, 11, "expected true or false"],
  [`gt(total_tokens,"5")`, 16, "expected a number"],
  ["gt(total_tokens,null)", 16, "gt cannot be used with null"],
  [`gt(start_time,"yesterday")`, 14, "expected an ISO 8601 time"],
  [`gt(start_time,"2026-02-30")`, 14, "expected an ISO 8601 time"],
  [`gt(latency,"5 parsecs")`, 11, "expected a number of seconds"],
  ["gt(latency,5s)", 11, "5s is not a valid number"],
  ["eq(total_cost,-)", 14, "- is not a valid number"],
  ["eq(total_cost,1e999)", 14, "too large"],
  [`eq(id,"7")`, 6, "expected a UUID"],
  [`in(name,"a")`, 8, "expected a list"],
  [`in(name,["a" "b"])`, 13, `expected ","`],
  [`in(name,["a",])`, 13, "expected a text in quotes, a number, true, false or null"],
  [`in(name,[["a"]])`, 9, `found "["`],
  [`in(name,["a",5])`, 13, "expected a text in quotes"],
  [`eq(name,["a"])`, 8, "found a list; use in for lists"],
  ["and()", 4, `expected a comparator (and, or, eq, neq, gt, gte, lt, lte, has, in, search), found ")"`],
  [`and(eq(name,"a") eq(name,"b"))`, 17, `expected ")", found eq`],
  ["search()", 7, "expected a text or a field"],
  [`search("")`, 7, "non-empty"],
  [`search("a","b")`, 10, `expected ")"`],
  [`search(total_tokens,"5")`, 0, "does not support search"],
  ["eq(metadata_key,5)", 16, "expected a text"],
  [`neq(metadata_key,"a")`, 0, "metadata_key does not support neq; expected one of eq, in"],
  [`and(eq(metadata_key,"a"),eq(metadata_key,"b"),eq(metadata_value,"c"))`, 28, "a second metadata_key"],
  [`eq(name,"🚀") ?`, 13, `unexpected "?" at 13`],
  [nestedFilter(51), 200, "can be nested at most 50 levels deep"],
  [`eq(name,"${"a".repeat(20_000)}")`, 16_384, "at most 16384 characters"],
];

// @covers 2C.Export job.filter
test.each(invalidFilters)("an invalid filter is rejected: %.60s", (filter, position, message) => {
  expect(() => compileFilter(filter)).toThrow(FilterError);
  const error = { position, message: expect.stringContaining(message) };
  expect(() => compileFilter(filter)).toThrow(expect.objectContaining(error));
  expect(() => compileFilter(filter)).toThrow(new RegExp(` at ${position}$`));
});

test("a filter may have the maximum depth, width and length", () => {
  expect(selectRuns(nestedFilter(50))).toBe("1 4 5");
  expect(selectRuns(`or(${Array.from({ length: 1000 }, () => "eq(id,null)").join()},eq(run_type,"llm"))`)).toBe("2 6");
  expect(selectRuns(`in(name,[${Array.from({ length: 4000 }, () => `""`).join()},"chat"])`)).toBe("1 4 5");
});

test("user input never appears in the SQL", () => {
  const { sql, params } = compileFilter(
    `and(eq(name, "needle"), search("needle"), in(metadata_value, ["needle", true]))`,
  );
  expect(sql).not.toContain("needle");
  expect(params.filter((param) => param === "needle")).toHaveLength(8);
});
