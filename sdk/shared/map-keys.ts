/** Works around keys of maps that the Pulumi SDK does not support. */
import * as pulumi from "@pulumi/pulumi";

/**
 * Returns the arguments in a form that the Pulumi SDK supports: it fails for a plain object with a key `toString`, but
 * accepts an Output of it.
 * @param what Describes the resource in the error.
 * @throws pulumi.RunError for a key `__proto__`, which the SDK would drop.
 */
export function toSupportedInputs(what: string, args: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries(args ?? {}).map(([key, value]) => {
      const unsupported = pathTo("__proto__", value, [key]);
      if (unsupported) {
        throw new pulumi.RunError(
          `${what}: ${unsupported.join(".")} is not supported, because Pulumi drops keys of this name. Use another key.`,
        );
      }
      return [key, pathTo("toString", value, [key]) ? pulumi.output(value) : value];
    }),
  );
}

/** Returns the path of an own key at any depth; undefined if there is none. Does not look into Outputs. */
function pathTo(searched: string, value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (!isPlainObject(value)) return undefined;
  if (Object.hasOwn(value, searched)) return [...path, searched];
  for (const [key, part] of Object.entries(value)) {
    const nested = pathTo(searched, part, [...path, key]);
    if (nested) return nested;
  }
  return undefined;
}

/** Whether a value is an array, or an object without a class. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
