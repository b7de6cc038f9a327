/** Paths of inputs as keys: a path is a text with dots, and the keys of a map, such as labels, may contain dots too. Pure. */
import { getOwn, isObjectOrArray } from "./schema";

/** Returns the keys of a path: the longest key that one of the values has wins. */
export function splitPath(path: string, ...values: readonly unknown[]): string[] {
  if (path === "") return [];
  const objects = values.filter(isObjectOrArray);
  const isKey = (name: string) => objects.some((object) => Object.prototype.propertyIsEnumerable.call(object, name));
  const key = prefixes(path).find(isKey) ?? (path.split(".", 1)[0] as string);
  const children = objects.map((value) => getOwn(value, key));
  return [key, ...splitPath(path.slice(key.length + 1), ...children)];
}

/** Returns a path and what stands before each of its dots, the longest first. */
function prefixes(path: string): string[] {
  const parts = path.split(".");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
}

/** Formats keys as a property path of the engine: `secrets["api.key"]`. */
export function formatPropertyPath(keys: readonly string[]): string {
  return keys
    .map((key, index) => {
      if (/^[A-Za-z_$][\w$]*$/.test(key)) return index === 0 ? key : `.${key}`;
      return `["${key.replace(/["\\]/g, "\\$&")}"]`;
    })
    .join("");
}
