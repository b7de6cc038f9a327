/** NUL characters, which servers in Python replace wherever they store a text (API `2B.Thread.metadata:nul`). */
import type { z } from "zod";
import type { Rule } from "../../definition/rule";
import { warningRule } from "../../definition/rules";
import { isEqual } from "../../schema/compare";
import { isPropertyMap, type PropertyMap } from "../../schema/schema";

/**
 * Returns a value as these servers store it: they replace the escape sequence of JSON, also where the text itself
 * contains it.
 */
export function withoutNul<T>(value: T): T;
export function withoutNul(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\ufffd").replaceAll("\\u0000", "\\ufffd");
  if (Array.isArray(value)) return value.map(withoutNul);
  if (!isPropertyMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [withoutNul(key), withoutNul(part)]));
}

/** Whether what a server returns is the declared value, as it is or as servers in Python store it. */
export const isStoredAs = (schema: z.ZodType | undefined, declared: unknown, remote: unknown): boolean =>
  isEqual(schema, declared, remote) || isEqual(schema, withoutNul(declared), remote);

/** Returns rules that warn about texts that a server may change. */
export const nulWarnings = <I extends PropertyMap>(...paths: (keyof I & string)[]): Rule<I>[] =>
  paths.map((path) =>
    warningRule([path], (inputs) =>
      isEqual(undefined, inputs[path], withoutNul(inputs[path]))
        ? undefined
        : "contains a NUL character, or its escape sequence \\u0000; servers in Python replace them by U+FFFD.",
    ),
  );
