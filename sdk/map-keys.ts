/** Keys of a program's maps that mean something to JavaScript, and what Pulumi's SDK makes of them. */
import * as pulumi from "@pulumi/pulumi";

/**
 * Returns the arguments in a form that Pulumi's SDK carries whole. It fails on a plain object that has a key `toString`,
 * and takes an Output of one.
 * @param what The resource, for the error.
 * @throws pulumi.RunError naming a key `__proto__`, which the SDK drops.
 */
export function carriable(what: string, args: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries(args ?? {}).map(([key, value]) => {
      const lost = pathTo("__proto__", value, [key]);
      if (lost) {
        throw new pulumi.RunError(
          `${what}: ${lost.join(".")} is not supported, because Pulumi drops keys of this name. Use another key.`,
        );
      }
      return [key, pathTo("toString", value, [key]) ? pulumi.output(value) : value];
    }),
  );
}

/** Where a plain object has this key of its own, however deep; Outputs are not looked into. */
function pathTo(wanted: string, value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (!isPlain(value)) return undefined;
  if (Object.hasOwn(value, wanted)) return [...path, wanted];
  for (const [key, part] of Object.entries(value)) {
    const found = pathTo(wanted, part, [...path, key]);
    if (found) return found;
  }
  return undefined;
}

/** A list, or an object without a class. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
