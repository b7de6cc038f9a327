/**
 * Warns of paths in the resource option `ignoreChanges` that name no input: the engine silently ignores such a path.
 */
import * as pulumi from "@pulumi/pulumi";
import { closestMatch } from "../../../provider/text/did-you-mean";
import { parsePropertyPath } from "../../../provider/text/property-path";
import type { ResourceMetadata } from "../resource-types";

export function warnOfIgnoredPaths(
  resource: pulumi.Resource,
  what: string,
  metadata: ResourceMetadata,
  ignoreChanges: readonly string[] = [],
): void {
  for (const path of ignoreChanges) {
    const mistake = typeof path === "string" ? mistakeIn(path, metadata) : undefined;
    if (mistake === undefined) continue;
    pulumi.log.warn(`${what}: ignoreChanges: "${path}" names no input, so it has no effect${mistake}`, resource);
  }
}

/**
 * Returns the end of the sentence: which input is probably meant. Undefined when the path names an input, or a part of
 * one.
 */
function mistakeIn(path: string, { inputs, outputs, nestedInputs }: ResourceMetadata): string | undefined {
  const [top = "", ...rest] = parsePropertyPath(path);
  if (top === "*" || top.startsWith("__") || outputs.includes(top)) return undefined;
  let parent = "";
  for (const key of [top, ...rest]) {
    const known = parent === "" ? inputs : childrenOf(parent, nestedInputs);
    // Below an input without fields of its own, every key is possible.
    if (known.length === 0 || key === "*") return undefined;
    if (!known.includes(key)) {
      const suggestion = closestMatch(key, known);
      const prefix = parent === "" ? "" : `${parent}.`;
      return suggestion
        ? `; did you mean "${prefix}${suggestion}"?`
        : `; expected one of ${known.map((name) => prefix + name).join(", ")}.`;
    }
    parent = parent === "" ? key : `${parent}.${key}`;
  }
  return undefined;
}

const childrenOf = (parent: string, paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const rest = path.startsWith(`${parent}.`) ? path.slice(parent.length + 1) : "";
    return rest === "" || rest.includes(".") ? [] : [rest];
  });
