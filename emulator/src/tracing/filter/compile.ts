import { closestMatch } from "../../runtime/text/did-you-mean";
import { type Field, fields } from "./fields";
import { FilterError } from "./filter-error";
import type { Comparator, Comparison, Filter, Literal, Scalar } from "./parse";
import { anyText, inText } from "./search";
import { joined, part, type Sql } from "./sql";

/** A comparison whose field supports the comparator. */
interface Known extends Comparison {
  known: Field;
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
      return anyText(searched(filter.text));
    case "comparison":
      return condition([resolve(filter)]);
    case "or":
      return joined("OR", filter.filters.map(compile));
    case "and": {
      const comparisons = filter.filters.filter((member) => member.kind === "comparison").map(resolve);
      const others = filter.filters.filter((member) => member.kind !== "comparison");
      return joined("AND", [...groups(comparisons).map(condition), ...others.map(compile)]);
    }
  }
}

function resolve(comparison: Comparison): Known {
  const { comparator, field, at } = comparison;
  const known = fields.get(field.name);
  if (!known) {
    const guess = closestMatch(field.name, [...fields.keys()]);
    throw new FilterError(`unknown field ${field.name}; did you mean ${guess}?`, field.at);
  }
  const { comparators } = known.kind;
  if (comparators.includes(comparator)) return { ...comparison, known };
  throw new FilterError(`${field.name} does not support ${comparator}; expected one of ${comparators.join(", ")}`, at);
}

/** Groups the comparisons of one `and` by the entry that they refer to. */
function groups(comparisons: readonly Known[]): Known[][] {
  const together = (["metadata", "feedback"] as const).flatMap((of) => {
    const own = comparisons.filter(({ known }) => known.entry?.of === of);
    const keys = own.filter(({ known }) => known.entry?.key);
    if (keys.length === 0 || keys.length === own.length) return own.map((one) => [one]);
    const [, second] = keys;
    if (!second) return [own];
    const value = of === "metadata" ? "metadata_value" : "feedback_score";
    const message = `a second ${of}_key makes ${value} ambiguous; put each pair into its own and(…)`;
    throw new FilterError(message, second.field.at);
  });
  return [...comparisons.filter(({ known }) => !known.entry).map((one) => [one]), ...together];
}

function condition(group: readonly Known[]): Sql {
  const where = joined("AND", group.map(comparison));
  switch (group[0]?.known.entry?.of) {
    case "metadata": {
      const entries =
        "json_type(r.extra, '$.metadata') = 'object' AND EXISTS (SELECT 1 FROM json_each(r.extra, '$.metadata') AS m";
      return part(`(${entries} WHERE ${where.sql}))`, ...where.params);
    }
    case "feedback":
      return part(`EXISTS (SELECT 1 FROM feedback AS f WHERE f.run = r.seq AND ${where.sql})`, ...where.params);
    default:
      return where;
  }
}

function comparison({ comparator, field, known, value }: Known): Sql {
  if (comparator === "search") return inText(known.sql, searched(value));
  if (comparator === "has")
    return part(`EXISTS (SELECT 1 FROM json_each(${known.sql}) AS t WHERE t.value = ?)`, read(known, value));
  if (comparator === "in") return anyOf(known, value);
  if (value.kind === "null" && comparator !== "eq" && comparator !== "neq")
    throw new FilterError(
      `${comparator} cannot be used with null; use eq(${field.name}, null) to find missing values`,
      value.at,
    );
  if (value.kind === "list")
    throw new FilterError(`expected ${known.kind.expected}, found a list; use in for lists`, value.at);
  if (field.name === "metadata_value") return typed(value, comparator === "neq");
  if (value.kind === "null") return part(`${known.sql} IS ${comparator === "eq" ? "" : "NOT "}NULL`);
  return part(`${known.sql} ${operators[comparator]} ?`, read(known, value));
}

function anyOf(known: Field, value: Literal): Sql {
  if (value.kind !== "list") throw new FilterError('expected a list such as ["a", "b"]', value.at);
  if (value.items.length === 0) return part("0");
  if (known.sql === "m.value")
    return joined(
      "OR",
      value.items.map((item) => typed(item, false)),
    );
  const items = value.items.filter(({ kind }) => kind !== "null");
  const listed = part(
    `${known.sql} IN (${items.map(() => "?").join(", ")})`,
    ...items.map((item) => read(known, item)),
  );
  return items.length === value.items.length ? listed : joined("OR", [listed, part(`${known.sql} IS NULL`)]);
}

/** Compares a metadata value by type and value. */
function typed({ value }: Scalar, not: boolean): Sql {
  const equal =
    typeof value === "string"
      ? part("m.type = 'text' AND m.value = ?", value)
      : typeof value === "number"
        ? part("m.type IN ('integer', 'real') AND m.value = ?", value)
        : part(`m.type = '${value}'`);
  return part(`${not ? "NOT " : ""}(${equal.sql})`, ...equal.params);
}

function searched(value: Literal): string {
  if (value.kind === "text" && value.value !== "") return String(value.value);
  throw new FilterError("expected a non-empty text in quotes", value.at);
}

function read({ kind }: Field, value: Literal): string | number {
  const known = value.kind === "list" ? undefined : kind.read(value);
  if (known !== undefined) return known;
  throw new FilterError(`expected ${kind.expected}`, value.at);
}
