/**
 * A second implementation of the filter language: it evaluates filters, written as trees, on runs before they are
 * loaded.
 */

/** A run as it was before it was loaded. */
export interface Run {
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

export type Value = string | number | boolean | null;
interface Junction {
  op: "and" | "or";
  operands: Tree[];
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
export type Tree = Junction | Search | Comparison;

const epoch = Date.UTC(2026, 0, 1);
export const iso = (milliseconds: number) => new Date(epoch + milliseconds).toISOString();

/** The value of each field of a run. */
const values: Record<string, (run: Run) => Value> = {
  id: (run) => run.id,
  trace_id: (run) => run.trace_id,
  parent_run_id: (run) => run.parent_run_id,
  name: (run) => run.name,
  error: (run) => run.error,
  run_type: (run) => run.run_type,
  status: (run) => run.status,
  is_root: (run) => run.parent_run_id === null,
  start_time: (run) => iso(run.start),
  end_time: (run) => (run.end === null ? null : iso(run.end)),
  prompt_tokens: (run) => run.prompt,
  total_cost: (run) => run.cost,
  latency: (run) => (run.end === null ? null : (run.end - run.start) / 1000),
};

const compare: Record<string, (one: Value, other: Value) => boolean> = {
  eq: (one, other) => one === other,
  neq: (one, other) => one !== other,
  gt: (one, other) => one !== null && other !== null && one > other,
  gte: (one, other) => one !== null && other !== null && one >= other,
  lt: (one, other) => one !== null && other !== null && one < other,
  lte: (one, other) => one !== null && other !== null && one <= other,
};

function satisfies(op: string, one: Value, value: Value | Value[]): boolean {
  if (Array.isArray(value)) return value.some((item) => item === one);
  return compare[op]?.(one, value) ?? false;
}

/** Returns the entries of a run that conditions on keys and values refer to. */
function entriesOf(run: Run, field: string): { key: Value; value: Value }[] {
  if (field.startsWith("feedback")) return run.feedback.map(({ key, score }) => ({ key, value: score }));
  return Object.entries(run.metadata).map(([key, value]) => ({ key, value: value as Value }));
}

const isEntryField = (field: string) => /^(metadata|feedback)_/.test(field);
const isEntryCondition = (tree: Tree): tree is Comparison => "value" in tree && isEntryField(tree.field);
const family = (field: string) => field.split("_")[0];

function matchesEntry(tree: Comparison, entry: { key: Value; value: Value }): boolean {
  return satisfies(tree.op, tree.field.endsWith("_key") ? entry.key : entry.value, tree.value);
}

/** Whether a filter selects a run. */
export function matches(tree: Tree, run: Run): boolean {
  if ("operands" in tree) {
    if (tree.op === "or") return tree.operands.some((part) => matches(part, run));
    return tree.operands.every(
      (part) => matches(part, run) && (!isEntryCondition(part) || matchesOneEntry(part, tree.operands, run)),
    );
  }
  if ("text" in tree)
    return (tree.field ? [run[tree.field]] : searchableTexts(run)).some((text) => contains(text, tree.text));
  if (tree.field === "tags") return run.tags?.includes(String(tree.value)) ?? false;
  if (isEntryField(tree.field)) return entriesOf(run, tree.field).some((entry) => matchesEntry(tree, entry));
  return satisfies(tree.op, values[tree.field]?.(run) ?? null, tree.value);
}

/** With one key condition in an `and`, all conditions of its family must match the same entry. */
function matchesOneEntry(part: Comparison, siblings: Tree[], run: Run): boolean {
  const sameFamily = siblings.filter(isEntryCondition).filter(({ field }) => family(field) === family(part.field));
  if (sameFamily.filter(({ field }) => field.endsWith("_key")).length !== 1) return true;
  return entriesOf(run, part.field).some((entry) => sameFamily.every((condition) => matchesEntry(condition, entry)));
}

function contains(text: string | null, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) ?? false;
}

function searchableTexts({ name, error, inputs, outputs }: Run): (string | null)[] {
  return [name, error, ...leaves(inputs), ...leaves(outputs)];
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** Whether a filter has two keys and a value in one `and`, which is rejected. */
export function isAmbiguous(tree: Tree): boolean {
  if (!("operands" in tree)) return false;
  const isCrowded = ["metadata", "feedback"].some((of) => {
    const sameFamily = tree.operands.filter(isEntryCondition).filter(({ field }) => family(field) === of);
    const keys = sameFamily.filter(({ field }) => field.endsWith("_key")).length;
    return tree.op === "and" && keys > 1 && keys < sameFamily.length;
  });
  return isCrowded || tree.operands.some(isAmbiguous);
}
