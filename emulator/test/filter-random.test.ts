import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { Store } from "../src/store";
import { compileFilter } from "../src/tracing/filter/index";
import { insertRuns } from "../src/tracing/store-runs";
import { id } from "./filter-runs";

/** A run as this file sees it: a second reading of the language, straight from what was loaded. */
interface Run {
  id: string;
  name: string;
  run_type: string;
  status: string;
  error: string | null;
  parent_run_id: string | null;
  trace_id: string;
  /** Milliseconds after the first moment of 2026; the data has no finer times. */
  start: number;
  end: number | null;
  prompt: number | null;
  cost: number | null;
  tags: string[] | null;
  metadata: Record<string, unknown>;
  feedback: { key: string; score: number | null }[];
  inputs: unknown;
  outputs: unknown;
}

type Value = string | number | boolean | null;
interface Junction {
  op: "and" | "or";
  of: Tree[];
}
interface Search {
  op: "search";
  text: string;
  field?: "name" | "error" | "run_type";
}
interface Comparison {
  op: string;
  field: string;
  value: Value | Value[];
}
type Tree = Junction | Search | Comparison;

const words = ["chat", "Chat", "a'b", 'a"b', "100%", "line\nbreak", "é🚀", "", "prod"];
const epoch = Date.UTC(2026, 0, 1);
const iso = (milliseconds: number) => new Date(epoch + milliseconds).toISOString();
const word = fc.constantFrom(...words);
const moment = fc.constantFrom(0, 1, 999, 1000, 5000, 86_400_000);
const amount = fc.constantFrom(0, 1, 2, 0.5, 1000, 1e15);
const scalar = fc.oneof(word, fc.constantFrom(0, 1, 0.5), fc.boolean(), fc.constant(null));
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });

const anyRun: fc.Arbitrary<Omit<Run, "id" | "trace_id" | "parent_run_id">> = fc.record({
  name: word,
  run_type: fc.constantFrom("llm", "tool", "chain"),
  status: fc.constantFrom("success", "error", "pending"),
  error: orNull(word),
  start: moment,
  end: fc.constant(null),
  prompt: orNull(fc.constantFrom(0, 1, 2, 1000)),
  cost: orNull(amount),
  tags: orNull(fc.array(word, { maxLength: 3 })),
  metadata: fc.dictionary(fc.constantFrom("env", "prod", 'a"b', "é🚀"), scalar),
  feedback: fc.array(fc.record({ key: fc.constantFrom("score", "tone"), score: orNull(amount) }), { maxLength: 3 }),
  inputs: fc.oneof(fc.constant(null), word, fc.record({ q: word, list: fc.array(scalar, { maxLength: 2 }) })),
  outputs: fc.constantFrom(null, { text: "Chat\\n" }, ["prod", { chat: 1 }]),
});

const sampled = fc.sample(fc.tuple(anyRun, orNull(moment)), { numRuns: 60, seed: 7 });
const all: Run[] = sampled.map(([run, latency], index) => {
  const parent = index % 3 === 0 ? null : id(index - (index % 3));
  const end = latency === null ? null : run.start + latency;
  return { ...run, end, id: id(index), parent_run_id: parent, trace_id: parent ?? id(index) };
});

let folder: string;
let store: Store;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-test-"));
  store = new Store(folder);
  const loaded = all.map(({ start, end, prompt, cost, metadata, trace_id, ...run }) => ({
    ...run,
    ...{ start_time: iso(start), end_time: end === null ? null : iso(end), prompt_tokens: prompt, total_cost: cost },
    extra: { metadata },
  }));
  insertRuns(store, id(900), id(901), loaded);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

// What each field is of a run, and what it is compared with.
const times = moment.map(iso);
const ids = fc.integer({ min: 0, max: 70 }).map(id);
const scalars: Record<string, { of: (run: Run) => Value; value: fc.Arbitrary<Value>; ops: string[] }> = {
  id: { of: (run) => run.id, value: ids, ops: ["eq", "neq", "in"] },
  trace_id: { of: (run) => run.trace_id, value: ids, ops: ["eq", "neq", "in"] },
  parent_run_id: { of: (run) => run.parent_run_id, value: orNull(ids), ops: ["eq", "neq", "in"] },
  name: { of: (run) => run.name, value: orNull(word), ops: ["eq", "neq", "in"] },
  error: { of: (run) => run.error, value: orNull(word), ops: ["eq", "neq", "in"] },
  run_type: { of: (run) => run.run_type, value: fc.constantFrom("llm", "tool"), ops: ["eq", "neq", "in"] },
  status: { of: (run) => run.status, value: fc.constantFrom("error", "x"), ops: ["eq", "neq", "in"] },
  is_root: { of: (run) => run.parent_run_id === null, value: fc.boolean(), ops: ["eq", "neq"] },
  start_time: { of: (run) => iso(run.start), value: times, ops: ["eq", "neq", "gt", "gte", "lt", "lte", "in"] },
  end_time: { of: (run) => run.end && iso(run.end), value: times, ops: ["neq", "gt", "gte", "lt", "lte"] },
  prompt_tokens: { of: (run) => run.prompt, value: amount, ops: ["eq", "neq", "gt", "gte", "lt", "lte", "in"] },
  total_cost: { of: (run) => run.cost, value: amount, ops: ["eq", "neq", "gt", "gte", "lt", "lte", "in"] },
  latency: {
    of: (run) => (run.end === null ? null : (run.end - run.start) / 1000),
    value: moment.map((milliseconds) => milliseconds / 1000),
    ops: ["eq", "neq", "gt", "gte", "lt", "lte", "in"],
  },
};

const compare: Record<string, (one: Value, other: Value) => boolean> = {
  eq: (one, other) => one === other,
  neq: (one, other) => one !== other,
  gt: (one, other) => one !== null && other !== null && one > other,
  gte: (one, other) => one !== null && other !== null && one >= other,
  lt: (one, other) => one !== null && other !== null && one < other,
  lte: (one, other) => one !== null && other !== null && one <= other,
};

function holds(op: string, one: Value, value: Value | Value[]): boolean {
  if (Array.isArray(value)) return value.some((item) => item === one);
  return compare[op]?.(one, value) ?? false;
}

/** The entries of a run that conditions on keys and values speak of. */
function entriesOf(run: Run, field: string): { key: Value; value: Value }[] {
  if (field.startsWith("feedback")) return run.feedback.map(({ key, score }) => ({ key, value: score }));
  return Object.entries(run.metadata).map(([key, value]) => ({ key, value: value as Value }));
}

const ofEntries = (field: string) => /^(metadata|feedback)_/.test(field);
const isEntry = (tree: Tree): tree is Comparison => "value" in tree && ofEntries(tree.field);
const family = (field: string) => field.split("_")[0];

function inEntry(tree: Comparison, entry: { key: Value; value: Value }): boolean {
  return holds(tree.op, tree.field.endsWith("_key") ? entry.key : entry.value, tree.value);
}

function matches(tree: Tree, run: Run): boolean {
  if ("of" in tree) {
    if (tree.op === "or") return tree.of.some((part) => matches(part, run));
    return tree.of.every((part) => matches(part, run) && (!isEntry(part) || pairHolds(part, tree.of, run)));
  }
  if ("text" in tree) return (tree.field ? [run[tree.field]] : textsOf(run)).some((text) => contains(text, tree.text));
  if (tree.field === "tags") return run.tags?.includes(String(tree.value)) ?? false;
  if (ofEntries(tree.field)) return entriesOf(run, tree.field).some((entry) => inEntry(tree, entry));
  return holds(tree.op, scalars[tree.field]?.of(run) ?? null, tree.value);
}

/** With one key among them, all conditions of a family in one `and` hold for a single entry. */
function pairHolds(part: Comparison, siblings: Tree[], run: Run): boolean {
  const own = siblings.filter(isEntry).filter(({ field }) => family(field) === family(part.field));
  if (own.filter(({ field }) => field.endsWith("_key")).length !== 1) return true;
  return entriesOf(run, part.field).some((entry) => own.every((condition) => inEntry(condition, entry)));
}

function contains(text: string | null, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) ?? false;
}

function textsOf({ name, error, inputs, outputs }: Run): (string | null)[] {
  return [name, error, ...leaves(inputs), ...leaves(outputs)];
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

const needle = word.filter((text) => text !== "");
const listed = (op: string, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | Value[]> =>
  op === "in" ? fc.array(value, { maxLength: 3 }) : value;
const on = (field: string, ops: string[], value: fc.Arbitrary<Value>): fc.Arbitrary<Tree> =>
  fc.constantFrom(...ops).chain((op) => listed(op, value).map((given) => ({ op, field, value: given })));
const key = (of: string) => on(`${of}_key`, ["eq", "in"], fc.constantFrom("env", "prod", 'a"b', "score", "tone"));
const metadata = on("metadata_value", ["eq", "neq", "in"], scalar);
const score = on("feedback_score", ["eq", "neq", "gt", "gte", "lt", "lte", "in"], amount);
const pair = (of: string, value: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  fc.tuple(key(of), fc.array(value, { minLength: 1, maxLength: 2 }), fc.boolean()).map(([first, values, swapped]) => ({
    op: "and",
    of: swapped ? [...values, first] : [first, ...values],
  }));
const leaf: fc.Arbitrary<Tree> = fc.oneof(
  ...Object.entries(scalars).map(([field, { ops, value }]) => on(field, ops, value)),
  ...[on("tags", ["has"], word), key("metadata"), key("feedback"), metadata, score],
  ...[pair("metadata", metadata), pair("feedback", score)],
  needle.map((text): Tree => ({ op: "search", text })),
  fc.record({ op: fc.constant("search" as const), text: needle, field: fc.constantFrom("name", "error", "run_type") }),
);
const anyTree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.record({ op: fc.constantFrom("and", "or"), of: fc.array(tie("tree"), { minLength: 1, maxLength: 4 }) }),
  ),
})).tree;

/** Two keys and a value in one `and` are refused, not answered. */
function isAmbiguous(tree: Tree): boolean {
  if (!("of" in tree)) return false;
  const crowded = ["metadata", "feedback"].some((of) => {
    const own = tree.of.filter(isEntry).filter(({ field }) => family(field) === of);
    const keys = own.filter(({ field }) => field.endsWith("_key")).length;
    return tree.op === "and" && keys > 1 && keys < own.length;
  });
  return crowded || tree.of.some(isAmbiguous);
}

function write(tree: Tree): string {
  if ("of" in tree) return `${tree.op}(${tree.of.map(write).join(", ")})`;
  if ("text" in tree) return `search(${tree.field ? `${tree.field}, ` : ""}${quote(tree.text)})`;
  const { op, field, value } = tree;
  return `${op}(${field}, ${Array.isArray(value) ? `[${value.map(quote).join(",")}]` : quote(value)})`;
}

function quote(value: Value): string {
  return typeof value === "string" && value.length % 2 === 0
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

function select(filter: string): unknown[] {
  const { sql, params } = compileFilter(filter);
  return store.all(`SELECT r.id FROM runs AS r WHERE ${sql} ORDER BY r.id`, ...params).map((row) => row.id);
}

test("random filters select what a second evaluator selects", () => {
  const tree = anyTree.filter((one) => !isAmbiguous(one));
  fc.assert(
    fc.property(tree, (one) => {
      expect(select(write(one))).toEqual(all.filter((run) => matches(one, run)).map((run) => run.id));
    }),
    { numRuns: 2000 },
  );
});

test("random text is a filter or a FilterError with a place in it", () => {
  const pieces = fc.constantFrom(
    "and(",
    "or(",
    "eq(",
    "name",
    ",",
    ")",
    "[",
    "]",
    '"a"',
    "'",
    "5",
    " ",
    "null",
    "🚀",
    "\\",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      try {
        select(text);
      } catch (error) {
        expect(error).toMatchObject({ position: expect.any(Number), message: expect.stringMatching(/ at \d+$/) });
        expect((error as { position: number }).position).toBeLessThanOrEqual([...text].length);
      }
    }),
    { numRuns: 2000 },
  );
});
