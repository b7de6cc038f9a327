/** Values that JSON cannot contain: the Pulumi SDK changes or drops them without an error. */
import * as pulumi from "@pulumi/pulumi";

/** Classes whose objects become empty, and what to write instead. */
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
  String: "its toString()",
  Number: "its valueOf()",
  Boolean: "its valueOf()",
};

/** Returns why a value would not reach the server as it is; undefined when it would. @param parent What contains it. */
export function lossOf(value: unknown, parent: unknown): string | undefined {
  if (value === undefined && Array.isArray(parent))
    return "is undefined, which an array of JSON cannot contain; leave the item out, or use null.";
  if (typeof value === "bigint") return "is a BigInt, which JSON cannot contain; use a text.";
  if (typeof value === "symbol") return "is a symbol, which JSON cannot contain; use a text.";
  if (typeof value === "function" && !pulumi.Output.isInstance(value))
    return "is a function, which JSON cannot contain; use its result.";
  if (typeof value === "number" && !Number.isFinite(value)) return `is ${value}, which JSON cannot contain.`;
  if (typeof value !== "object" || value === null || isPlainObject(value) || isOfPulumi(value)) return undefined;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const instead = Object.hasOwn(EMPTIED, tag) ? EMPTIED[tag] : undefined;
  if (instead) return `is ${tag === "Error" ? "an" : "a"} ${tag}, which JSON cannot contain; use ${instead}.`;
  // An object of a class is sent with its fields, as one without a class.
  if (Object.keys(value).length > 0 && !ArrayBuffer.isView(value)) return undefined;
  const { name } = (value as object).constructor;
  return `is an object of the class ${name || tag}, which JSON cannot contain; use an object with its values.`;
}

/** Whether the SDK knows how to send an object. */
const isOfPulumi = (value: object): boolean =>
  value instanceof Promise ||
  pulumi.Output.isInstance(value) ||
  pulumi.Resource.isInstance(value) ||
  pulumi.asset.Asset.isInstance(value) ||
  pulumi.asset.Archive.isInstance(value);

/** Whether a value is an array, or an object without a class. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
