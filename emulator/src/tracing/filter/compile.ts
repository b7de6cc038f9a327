import { closestMatch } from "../../runtime/text/did-you-mean";
import { type Field, fields } from "./fields";
import { FilterError } from "./filter-error";
import type { Comparator, Comparison, Filter, Literal, Scalar } from "./parse";
import { containsText, runContainsText } from "./search";
import { joinConditions, type Sql, sqlPart } from "./sql";

/** A comparison whose field supports the comparator. */
interface ResolvedComparison extends Comparison {
  column: Field;
}

const operators: Partial<Record<Comparator, string>> = {
  eq: "=",
  neq: "IS NOT",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
};

/** Compiles a filter to a condition on the row `r` of runs. Comparisons with null are false, except for neq. */
export function compile(filter: Filter): Sql {
  switch (filter.kind) {
    case "search":
      return runContainsText(searchText(filter.text));
    case "comparison":
      return condition([resolve(filter)]);
    case "or":
      return joinConditions("OR", filter.filters.map(compile));
    case "and": {
      const comparisons = filter.filters.filter((member) => member.kind === "comparison").map(resolve);
      const others = filter.filters.filter((member) => member.kind !== "comparison");
      return joinConditions("AND", [...groupByEntry(comparisons).map(condition), ...others.map(compile)]);
    }
  }
}

function resolve(comparison: Comparison): ResolvedComparison {
  const { comparator, field, at } = comparison;
  const column = fields.get(field.name);
  if (!column) {
    const suggestion = closestMatch(field.name, [...fields.keys()]);
    throw new FilterError(`unknown field ${field.name}; did you mean ${suggestion}?`, field.at);
  }
  const { comparators } = column.kind;
  if (comparators.includes(comparator)) return { ...comparison, column };
  throw new FilterError(`${field.name} does not support ${comparator}; expected one of ${comparators.join(", ")}`, at);
}

/** Groups the comparisons of one `and` by the entry that they refer to. */
function groupByEntry(comparisons: readonly ResolvedComparison[]): ResolvedComparison[][] {
  const entryGroups = (["metadata", "feedback"] as const).flatMap((of) => {
    const ofEntry = comparisons.filter(({ column }) => column.entry?.of === of);
    const keys = ofEntry.filter(({ column }) => column.entry?.key);
    if (keys.length === 0 || keys.length === ofEntry.length) return ofEntry.map((single) => [single]);
    const [, second] = keys;
    if (!second) return [ofEntry];
    const value = of === "metadata" ? "metadata_value" : "feedback_score";
    const message = `a second ${of}_key makes ${value} ambiguous; put each pair into its own and(…)`;
    throw new FilterError(message, second.field.at);
  });
  return [...comparisons.filter(({ column }) => !column.entry).map((single) => [single]), ...entryGroups];
}

function condition(group: readonly ResolvedComparison[]): Sql {
  const where = joinConditions("AND", group.map(comparison));
  switch (group[0]?.column.entry?.of) {
    case "metadata": {
      const entries =
        "json_type(r.extra, '$.metadata') = 'object' AND EXISTS (SELECT 1 FROM json_each(r.extra, '$.metadata') AS m";
      return sqlPart(`(${entries} WHERE ${where.sql}))`, ...where.params);
    }
    case "feedback":
      return sqlPart(`EXISTS (SELECT 1 FROM feedback AS f WHERE f.run = r.seq AND ${where.sql})`, ...where.params);
    default:
      return where;
  }
}

function comparison({ comparator, field, column, value }: ResolvedComparison): Sql {
  if (comparator === "search") return containsText(column.sql, searchText(value));
  if (comparator === "has")
    return sqlPart(`EXISTS (SELECT 1 FROM json_each(${column.sql}) AS t WHERE t.value = ?)`, toParam(column, value));
  if (comparator === "in") return anyOf(column, value);
  if (value.kind === "null" && comparator !== "eq" && comparator !== "neq")
    throw new FilterError(
      `${comparator} cannot be used with null; use eq(${field.name}, null) to find missing values`,
      value.at,
    );
  if (value.kind === "list")
    throw new FilterError(`expected ${column.kind.expected}, found a list; use in for lists`, value.at);
  if (field.name === "metadata_value") return typedComparison(value, comparator === "neq");
  if (value.kind === "null") return sqlPart(`${column.sql} IS ${comparator === "eq" ? "" : "NOT "}NULL`);
  return sqlPart(`${column.sql} ${operators[comparator]} ?`, toParam(column, value));
}

function anyOf(column: Field, value: Literal): Sql {
  if (value.kind !== "list") throw new FilterError('expected a list such as ["a", "b"]', value.at);
  if (value.items.length === 0) return sqlPart("0");
  if (column.sql === "m.value")
    return joinConditions(
      "OR",
      value.items.map((item) => typedComparison(item, false)),
    );
  const items = value.items.filter(({ kind }) => kind !== "null");
  const inList = sqlPart(
    `${column.sql} IN (${items.map(() => "?").join(", ")})`,
    ...items.map((item) => toParam(column, item)),
  );
  return items.length === value.items.length
    ? inList
    : joinConditions("OR", [inList, sqlPart(`${column.sql} IS NULL`)]);
}

/** Compares a metadata value by type and value. */
function typedComparison({ value }: Scalar, negated: boolean): Sql {
  const equal =
    typeof value === "string"
      ? sqlPart("m.type = 'text' AND m.value = ?", value)
      : typeof value === "number"
        ? sqlPart("m.type IN ('integer', 'real') AND m.value = ?", value)
        : sqlPart(`m.type = '${value}'`);
  return sqlPart(`${negated ? "NOT " : ""}(${equal.sql})`, ...equal.params);
}

function searchText(value: Literal): string {
  if (value.kind === "text" && value.value !== "") return String(value.value);
  throw new FilterError("expected a non-empty text in quotes", value.at);
}

function toParam({ kind }: Field, value: Literal): string | number {
  const param = value.kind === "list" ? undefined : kind.toParam(value);
  if (param !== undefined) return param;
  throw new FilterError(`expected ${kind.expected}`, value.at);
}
