/** The fields of JSON texts, and their replacement by any text. */

type Key = string | number;

/** A value in the body of an exchange: the whole body where the path is empty. */
export interface Field {
  exchange: number;
  path: readonly Key[];
  /** Whether it has no fields of its own. */
  isLeaf: boolean;
}

/** Items of a list whose fields are distinct from those of the items before. */
const MAX_ITEMS = 2;

/** Returns the fields of a JSON text: objects, lists and leaves. */
export function fieldsOf(exchange: number, body: string): Field[] {
  if (body === "") return [{ exchange, path: [], isLeaf: false }];
  return pathsOf(JSON.parse(body)).map(({ path, isLeaf }) => ({ exchange, path, isLeaf }));
}

/** Returns whether a text names a field: as the server writes it, or in camel case; one of its parts if it has any. */
export function isNamedIn(text: string, { path, isLeaf }: Field): boolean {
  const names = path.filter((key) => typeof key === "string");
  return !isLeaf || [...names, ...names.map(camelCase)].some((name) => text.includes(name));
}

function pathsOf(value: unknown, path: Key[] = []): Omit<Field, "exchange">[] {
  const parts = Array.isArray(value)
    ? value.slice(0, MAX_ITEMS).map((part, index) => [index, part] as const)
    : Object.entries(typeof value === "object" && value !== null ? value : {});
  const isLeaf = typeof value !== "object" || value === null;
  return [{ path, isLeaf }, ...parts.flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const PLACEHOLDER = "the-replaced-value";

/** Returns the body with another text at a path; without the field where there is none. */
export function replaceField(body: string, path: Field["path"], text: string | undefined): string {
  if (path.length === 0) return text ?? "";
  const json = JSON.parse(body);
  const parent = path.slice(0, -1).reduce((at, key) => at[key], json);
  const key = path.at(-1) as string | number;
  if (text !== undefined) parent[key] = PLACEHOLDER;
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  return JSON.stringify(json).replace(JSON.stringify(PLACEHOLDER), () => text ?? "");
}

export const describeField = ({ path }: Field) => (path.length === 0 ? "the body" : path.join("."));
