import type { SQLInputValue } from "node:sqlite";
import type { Store } from "../../runtime/storage/store";
import { isObject } from "../../runtime/validation/validator";

/** One leaf of a JSON value, or an object or list on the path to one: its path and its JSON text. */
interface Label {
  path: string;
  value: string;
}

/** Returns all leaves with their paths. List elements share the path `[]`, because containment ignores their order. */
function labelsOf(value: unknown, path: readonly string[] = []): Label[] {
  const label = { path: JSON.stringify(path), value: labelValue(value) };
  if (Array.isArray(value)) return [label, ...value.flatMap((item) => labelsOf(item, [...path, "[]"]))];
  if (!isObject(value)) return [label];
  const nested = Object.entries(value).flatMap(([key, item]) => labelsOf(item, [...path, `.${key}`]));
  return path.length === 0 ? nested : [label, ...nested];
}

function labelValue(value: unknown): string {
  if (Array.isArray(value)) return "[]";
  return isObject(value) ? "{}" : JSON.stringify(value);
}

/** Returns whether `whole` contains `part`: objects by key, lists in any order, other values by equality. */
export function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((expected) => whole.some((item) => contains(item, expected)));
  if (isObject(part))
    return (
      isObject(whole) &&
      Object.entries(part).every(([key, expected]) => Object.hasOwn(whole, key) && contains(whole[key], expected))
    );
  return whole === part;
}

/**
 * Returns whether labels alone decide a filter: they cannot relate the fields of one list element, nor compare lists as
 * a whole. In JavaScript, null matches nothing.
 */
export function isDecidedByLabels(filter: unknown, comparesLists: boolean): boolean {
  if (Array.isArray(filter)) return !comparesLists && filter.every((item) => !isObject(item) && !Array.isArray(item));
  if (filter === null) return comparesLists;
  return !isObject(filter) || Object.values(filter).every((value) => isDecidedByLabels(value, comparesLists));
}

/** Replaces the labels of a thread. */
export function replaceLabels(store: Store, deploymentId: string, thread: number, metadata: object): void {
  store.run("DELETE FROM thread_labels WHERE thread = ?", thread);
  const sql = "INSERT OR IGNORE INTO thread_labels (deployment_id, path, value, thread) VALUES (?, ?, ?, ?)";
  for (const { path, value } of labelsOf(metadata)) store.run(sql, deploymentId, path, value, thread);
}

/** Returns SQL conditions on `threads` that require all labels of a filter. */
export function labelConditions(deploymentId: string, filter: object): { sql: string; values: SQLInputValue[] }[] {
  const sql = "seq IN (SELECT thread FROM thread_labels WHERE deployment_id = ? AND path = ? AND value = ?)";
  return labelsOf(filter).map(({ path, value }) => ({ sql, values: [deploymentId, path, value] }));
}
