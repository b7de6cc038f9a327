import * as fc from "fast-check";
import { Store } from "../../../src/runtime/storage/store";
import { compileFilter } from "../../../src/tracing/filter/index";
import { insertRuns } from "../../../src/tracing/store-runs";
import { tables as tracing } from "../../../src/tracing/tables";
import { isAmbiguous, iso, matches, type Run, type Tree, type Value } from "../../support/filter/evaluator";
import { runId } from "../../support/filter/runs";
import { newFolder } from "../../support/folder";

const words = ["chat", "Chat", "a'b", 'a"b', "100%", "line\nbreak", "é🚀", "", "prod"];
const word = fc.constantFrom(...words);
const moment = fc.constantFrom(0, 1, 999, 1000, 5000, 86_400_000);
const amount = fc.constantFrom(0, 1, 2, 0.5, 1000, 1e15);
const scalar = fc.oneof(word, fc.constantFrom(0, 1, 0.5), fc.boolean(), fc.constant(null));
const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });

const anyRun: fc.Arbitrary<Omit<Run, "id" | "trace_id" | "parent_run_id">> = fc.record({
  name: word,
  run_type: fc.constantFrom("llm", "tool", "chain"),
  status: fc.constantFrom("success", "error", "pending"),
  error: nullable(word),
  start: moment,
  end: fc.constant(null),
  prompt: nullable(fc.constantFrom(0, 1, 2, 1000)),
  cost: nullable(amount),
  tags: nullable(fc.array(word, { maxLength: 3 })),
  metadata: fc.dictionary(fc.constantFrom("env", "prod", 'a"b', "é🚀"), scalar),
  feedback: fc.array(fc.record({ key: fc.constantFrom("score", "tone"), score: nullable(amount) }), { maxLength: 3 }),
  inputs: fc.oneof(fc.constant(null), word, fc.record({ q: word, list: fc.array(scalar, { maxLength: 2 }) })),
  outputs: fc.constantFrom(null, { text: "Chat\\n" }, ["prod", { chat: 1 }]),
});

const sampled = fc.sample(fc.tuple(anyRun, nullable(moment)), { numRuns: 60, seed: 7 });
const allRuns: Run[] = sampled.map(([run, latency], index) => {
  const parent = index % 3 === 0 ? null : runId(index - (index % 3));
  const end = latency === null ? null : run.start + latency;
  return { ...run, end, id: runId(index), parent_run_id: parent, trace_id: parent ?? runId(index) };
});

let folder: string;
let store: Store;
beforeAll(() => {
  folder = newFolder();
  store = new Store(folder, [tracing]);
  const loaded = allRuns.map(({ start, end, prompt, cost, metadata, trace_id, ...run }) => ({
    ...run,
    start_time: iso(start),
    end_time: end === null ? null : iso(end),
    prompt_tokens: prompt,
    total_cost: cost,
    extra: { metadata },
  }));
  insertRuns(store, runId(900), runId(901), loaded);
});
afterAll(() => store.close());

const times = moment.map(iso);
const ids = fc.integer({ min: 0, max: 70 }).map(runId);
const equalityOps = ["eq", "neq", "in"];
const orderOps = [...equalityOps, "gt", "gte", "lt", "lte"];
/** The values and the operators of each scalar field. */
const scalars: Record<string, { value: fc.Arbitrary<Value>; ops: string[] }> = {
  id: { value: ids, ops: equalityOps },
  trace_id: { value: ids, ops: equalityOps },
  parent_run_id: { value: nullable(ids), ops: equalityOps },
  name: { value: nullable(word), ops: equalityOps },
  error: { value: nullable(word), ops: equalityOps },
  run_type: { value: fc.constantFrom("llm", "tool"), ops: equalityOps },
  status: { value: fc.constantFrom("error", "x"), ops: equalityOps },
  is_root: { value: fc.boolean(), ops: ["eq", "neq"] },
  start_time: { value: times, ops: orderOps },
  end_time: { value: times, ops: ["neq", "gt", "gte", "lt", "lte"] },
  prompt_tokens: { value: amount, ops: orderOps },
  total_cost: { value: amount, ops: orderOps },
  latency: { value: moment.map((milliseconds) => milliseconds / 1000), ops: orderOps },
};

const needle = word.filter((text) => text !== "");
const operandFor = (op: string, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | Value[]> =>
  op === "in" ? fc.array(value, { maxLength: 3 }) : value;
const comparisonOf = (field: string, ops: string[], value: fc.Arbitrary<Value>): fc.Arbitrary<Tree> =>
  fc.constantFrom(...ops).chain((op) => operandFor(op, value).map((operand) => ({ op, field, value: operand })));
const key = (of: string) =>
  comparisonOf(`${of}_key`, ["eq", "in"], fc.constantFrom("env", "prod", 'a"b', "score", "tone"));
const metadata = comparisonOf("metadata_value", equalityOps, scalar);
const score = comparisonOf("feedback_score", orderOps, amount);
const pair = (of: string, value: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  fc
    .tuple(key(of), fc.array(value, { minLength: 1, maxLength: 2 }), fc.boolean())
    .map(([first, values, swapped]) => ({ op: "and", operands: swapped ? [...values, first] : [first, ...values] }));
const leaf: fc.Arbitrary<Tree> = fc.oneof(
  ...Object.entries(scalars).map(([field, { ops, value }]) => comparisonOf(field, ops, value)),
  ...[comparisonOf("tags", ["has"], word), key("metadata"), key("feedback"), metadata, score],
  ...[pair("metadata", metadata), pair("feedback", score)],
  needle.map((text): Tree => ({ op: "search", text })),
  fc.record({ op: fc.constant("search" as const), text: needle, field: fc.constantFrom("name", "error", "run_type") }),
);
const anyTree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.record({ op: fc.constantFrom("and", "or"), operands: fc.array(tie("tree"), { minLength: 1, maxLength: 4 }) }),
  ),
})).tree;

function toFilterText(tree: Tree): string {
  if ("operands" in tree) return `${tree.op}(${tree.operands.map(toFilterText).join(", ")})`;
  if ("text" in tree) return `search(${tree.field ? `${tree.field}, ` : ""}${quote(tree.text)})`;
  const { op, field, value } = tree;
  return `${op}(${field}, ${Array.isArray(value) ? `[${value.map(quote).join(",")}]` : quote(value)})`;
}

function quote(value: Value): string {
  return typeof value === "string" && value.length % 2 === 0
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

function selectRuns(filter: string): unknown[] {
  const { sql, params } = compileFilter(filter);
  return store.all(`SELECT r.id FROM runs AS r WHERE ${sql} ORDER BY r.id`, ...params).map((row) => row.id);
}

// @covers 2C.Export job.filter
test("random filters select the same runs as a second evaluator", () => {
  const tree = anyTree.filter((one) => !isAmbiguous(one));
  fc.assert(
    fc.property(tree, (one) => {
      expect(selectRuns(toFilterText(one))).toEqual(allRuns.filter((run) => matches(one, run)).map((run) => run.id));
    }),
    { numRuns: 2000 },
  );
});

test("random text is a filter or a FilterError with a position", () => {
  const pieces = fc.constantFrom(...'and( or( eq( name , ) [ ] "a" \' 5 null 🚀 \\'.split(" "), " ");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      try {
        selectRuns(text);
      } catch (error) {
        expect(error).toMatchObject({ position: expect.any(Number), message: expect.stringMatching(/ at \d+$/) });
        expect((error as { position: number }).position).toBeLessThanOrEqual([...text].length);
      }
    }),
    { numRuns: 2000 },
  );
});
