/** Works around keys of maps and values that the Pulumi SDK does not support. */
import * as pulumi from "@pulumi/pulumi";
import { isPlainObject, lossOf } from "./json-values";

type Path = readonly string[];

/**
 * Returns the arguments in a form that the Pulumi SDK supports: it fails for a plain object with a key `toString`, but
 * accepts an Output of it. The values of Outputs and promises are checked once they are known.
 * @param what Describes the resource in the error.
 * @throws pulumi.RunError for what the SDK would drop or change: a key `__proto__`, the invalid part of a text, and
 * values that JSON cannot contain.
 */
export function toSupportedInputs(what: string, args: pulumi.Inputs): pulumi.Inputs {
  assertSupported(what, args, []);
  const isUnsupported = (value: unknown) => pathTo((key) => key === "toString", value) !== undefined;
  return Object.fromEntries(
    Object.entries(args ?? {}).map(([key, value]) => {
      const checked = withChecks(what, value, [key]);
      return [key, isUnsupported(checked) ? pulumi.output(checked) : checked];
    }),
  );
}

/** @param path Of the value. @throws pulumi.RunError */
function assertSupported(what: string, value: unknown, path: Path): void {
  const fail = (inner: Path, reason: string) => {
    throw new pulumi.RunError(`${what}: ${[...path, ...inner].map((key) => key.toWellFormed()).join(".")} ${reason}`);
  };
  const dropped = pathTo((key) => key === "__proto__", value);
  if (dropped) fail(dropped, "is not supported, because Pulumi drops keys of this name. Use another key.");
  const invalid = pathTo(
    (key, part) => !key.isWellFormed() || (typeof part === "string" && !part.isWellFormed()),
    value,
  );
  if (invalid) fail(invalid, "is not a valid Unicode text: it contains half of a character. Correct the text.");
  const lost = pathTo((_key, part, parent) => lossOf(part, parent) !== undefined, value);
  if (!lost) return;
  const [part, parent] = [valueAt(value, lost), valueAt(value, lost.slice(0, -1))];
  fail(lost, lossOf(part, parent) ?? "");
}

/**
 * Returns a value whose Outputs and promises fail if they resolve to what is not supported. Unknown ones stay unknown.
 */
function withChecks(what: string, value: unknown, path: Path): unknown {
  const check = (part: unknown) => {
    assertSupported(what, { [path.at(-1) ?? ""]: part }, path.slice(0, -1));
    return withChecks(what, part, path);
  };
  if (pulumi.Output.isInstance(value)) return value.apply(check);
  if (value instanceof Promise) return value.then(check);
  if (!isPlainObject(value)) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, withChecks(what, part, [...path, key])] as const);
  if (parts.every(([key, part]) => part === (value as PropertyMap)[key])) return value;
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

type PropertyMap = Record<string, unknown>;

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as PropertyMap)[key], value);

/** Returns the path of an own property at any depth; undefined if there is none. Does not look into Outputs. */
function pathTo(
  isSought: (key: string, value: unknown, parent: object) => boolean,
  value: unknown,
  path: Path = [],
): Path | undefined {
  if (!isPlainObject(value)) return undefined;
  // Not its entries: they leave out the holes of an array.
  for (const key of Array.isArray(value) ? Array.from(value, (_, index) => String(index)) : Object.keys(value)) {
    const part = (value as PropertyMap)[key];
    const inner = [...path, key];
    const found = isSought(key, part, value) ? inner : pathTo(isSought, part, inner);
    if (found) return found;
  }
  return undefined;
}
