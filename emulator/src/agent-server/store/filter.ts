import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";

type Compare = (value: unknown, expected: unknown) => boolean;

const shared: Readonly<Record<string, Compare>> = {
  $eq: isDeepStrictEqual,
  $ne: (value, expected) => !isDeepStrictEqual(value, expected),
  $gt: (value, expected) => Number(value) > Number(expected),
  $gte: (value, expected) => Number(value) >= Number(expected),
  $lt: (value, expected) => Number(value) < Number(expected),
  $lte: (value, expected) => Number(value) <= Number(expected),
};
const isIn: Compare = (value, list) => Array.isArray(list) && list.includes(value);
const ofJavascript: Readonly<Record<string, Compare>> = {
  ...shared,
  $in: isIn,
  $nin: (value, list) => !isIn(value, list),
};

/**
 * Returns whether the fields of an item have the values of a filter, or what its operators ask for: `{"age": {"$gt":
 * 9}}`. In Python, a filter may be nested, and an unknown operator is an error; in JavaScript, it is a value.
 * @throws ApiError 400
 */
export function matchesFilter(item: unknown, filter: Record<string, unknown>, isPython: boolean): boolean {
  const matches = isPython ? matchesInPython : matchesInJavascript;
  return Object.entries(filter).every(([key, expected]) => matches(isObject(item) ? item[key] : undefined, expected));
}

function matchesInPython(value: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return isDeepStrictEqual(value ?? null, expected);
  const operators = Object.entries(expected);
  if (!operators.some(([name]) => name.startsWith("$"))) return isObject(value) && matchesFilter(value, expected, true);
  return operators.every(([name, operand]) => {
    const compare = Object.hasOwn(shared, name) ? shared[name] : undefined;
    if (!compare) throw new ApiError(400, `Unsupported operator: ${name}`);
    return compare(value ?? null, operand);
  });
}

function matchesInJavascript(value: unknown, expected: unknown): boolean {
  const operators = isObject(expected) ? Object.entries(expected) : undefined;
  if (!operators?.every(([name]) => Object.hasOwn(ofJavascript, name))) return value === expected;
  return operators.every(([name, operand]) => ofJavascript[name]?.(value, operand));
}
