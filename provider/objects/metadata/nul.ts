/** Warnings of NUL characters (API `2B.Thread.metadata:nul`). */
import type { Rule } from "../../definition/rule";
import { warningRule } from "../../definition/rules";
import { isEqual } from "../../schema/compare";
import { withoutNul } from "../../schema/nul";
import type { PropertyMap } from "../../schema/schema";

/** Returns rules that warn about texts that a server may change. */
export const nulWarnings = <I extends PropertyMap>(...paths: (keyof I & string)[]): Rule<I>[] =>
  paths.map((path) =>
    warningRule([path], (inputs) =>
      isEqual(undefined, inputs[path], withoutNul(inputs[path]))
        ? undefined
        : "contains a NUL character, or its escape sequence \\u0000; servers in Python replace them by U+FFFD.",
    ),
  );
