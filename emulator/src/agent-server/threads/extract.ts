import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";

const ROOTS = ["config", "interrupts", "metadata", "values"];
const MAX_PATHS = 10;

/** Checks the paths of values that a search returns in `extracted`. @throws ApiError 422 */
export function checkPaths(paths: Readonly<Record<string, string>>, fieldNames: readonly string[]): void {
  const reject = (message: string) => {
    throw new ApiError(422, `body.extract: ${message}`);
  };
  const entries = Object.entries(paths);
  if (entries.length > MAX_PATHS) reject(`At most ${MAX_PATHS} paths are allowed, not ${entries.length}`);
  for (const [name, path] of entries) {
    if (!/^[a-zA-Z_]\w*$/.test(name)) reject(`'${name}' must be letters, digits and underscores`);
    if (fieldNames.includes(name)) reject(`'${name}' is a field of a thread`);
    if (!ROOTS.includes(partsOf(path)[0] ?? "")) reject(`'${path}' must start with one of ${ROOTS.join(", ")}`);
  }
}

/** Returns the value at a path such as `values.messages[-1].content`; null if there is none. */
export function extractValue(thread: unknown, path: string): unknown {
  let value = thread;
  for (const part of partsOf(path)) {
    const index = /^(-?\d+)\]$/.exec(part)?.[1];
    if (Array.isArray(value) && index !== undefined) value = value.at(Number(index));
    else value = isObject(value) && Object.hasOwn(value, part) && !part.startsWith("_") ? value[part] : undefined;
  }
  return value ?? null;
}

const partsOf = (path: string): string[] => path.split(/[.[]/).filter((part) => part !== "");
