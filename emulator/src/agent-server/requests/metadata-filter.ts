import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../runtime/context";
import { isObject } from "../../runtime/validation/validator";
import { traitsOf } from "../server/server-traits";
import { contains } from "../threads/json-index";

/**
 * Returns whether metadata contain a filter: objects by key. In Python, everything else must be equal; in JavaScript,
 * lists contain those of the filter, and null matches nothing.
 */
export function matchesMetadata(context: Pick<Context, "settings">, metadata: unknown, filter: unknown): boolean {
  if (isObject(filter)) {
    return (
      isObject(metadata) &&
      Object.entries(filter).every(
        ([key, expected]) => Object.hasOwn(metadata, key) && matchesMetadata(context, metadata[key], expected),
      )
    );
  }
  if (traitsOf(context).comparesLists) return isDeepStrictEqual(metadata, filter);
  return filter !== null && contains(metadata, filter);
}
