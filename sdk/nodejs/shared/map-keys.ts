/** Works around keys of maps and texts that the Pulumi SDK does not support. */
import * as pulumi from "@pulumi/pulumi";

/**
 * Returns the arguments in a form that the Pulumi SDK supports: it fails for a plain object with a key `toString`, but
 * accepts an Output of it.
 * @param what Describes the resource in the error.
 * @throws pulumi.RunError for what the SDK would drop: a key `__proto__`, and the invalid part of a text.
 */
export function toSupportedInputs(what: string, args: pulumi.Inputs): pulumi.Inputs {
  const fail = (path: readonly string[], reason: string) => {
    throw new pulumi.RunError(`${what}: ${path.map((key) => key.toWellFormed()).join(".")} ${reason}`);
  };
  const isInvalid = (key: string, value: unknown) =>
    !key.isWellFormed() || (typeof value === "string" && !value.isWellFormed());
  const dropped = pathTo((key) => key === "__proto__", args, []);
  if (dropped) fail(dropped, "is not supported, because Pulumi drops keys of this name. Use another key.");
  const invalid = pathTo(isInvalid, args, []);
  if (invalid) fail(invalid, "is not a valid Unicode text: it contains half of a character. Correct the text.");
  const lost = pathTo((_key, value) => lossOf(value) !== undefined, args, []);
  if (lost) fail(lost, lossOf(lost.reduce<unknown>((at, key) => (at as PropertyMap)[key], args)) ?? "");
  const isUnsupported = (value: unknown) => pathTo((key) => key === "toString", value, []) !== undefined;
  return Object.fromEntries(
    Object.entries(args ?? {}).map(([key, value]) => [key, isUnsupported(value) ? pulumi.output(value) : value]),
  );
}

type PropertyMap = Record<string, unknown>;

/** Classes whose objects the Pulumi SDK turns into empty ones, and what to write instead. */
const EMPTIED: Readonly<Record<string, string>> = {
  Date: "its toISOString()",
  Map: "Object.fromEntries(…)",
  Set: "[...set]",
  WeakMap: "an object",
  WeakSet: "an array",
  Error: "its message",
  RegExp: "its source",
  URL: "its href",
  URLSearchParams: "its toString()",
  ArrayBuffer: "a text",
  Uint8Array: "a text, such as its toString('base64')",
};

/** Returns why a value would not reach the server as it is; undefined when it would. */
function lossOf(value: unknown): string | undefined {
  if (typeof value === "bigint") return "is a BigInt, which JSON cannot contain; use a text.";
  if (typeof value === "symbol") return "is a symbol, which JSON cannot contain; use a text.";
  if (typeof value === "number" && !Number.isFinite(value)) return `is ${value}, which JSON cannot contain.`;
  if (typeof value !== "object" || value === null) return undefined;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const instead = Object.hasOwn(EMPTIED, tag) ? EMPTIED[tag] : undefined;
  return instead && `is ${tag === "Error" ? "an" : "a"} ${tag}, which JSON cannot contain; use ${instead}.`;
}

/** Returns the path of an own property at any depth; undefined if there is none. Does not look into Outputs. */
function pathTo(
  isSought: (key: string, value: unknown) => boolean,
  value: unknown,
  path: readonly string[],
): readonly string[] | undefined {
  if (!isPlainObject(value)) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const inner = [...path, key];
    const found = isSought(key, part) ? inner : pathTo(isSought, part, inner);
    if (found) return found;
  }
  return undefined;
}

/** Whether a value is an array, or an object without a class. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
