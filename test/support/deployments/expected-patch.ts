import type { PropertyMap } from "../../../provider/schema/schema";

/** An independent implementation of API `3.1`, and of the content of a PATCH. */

const GROUPS = ["sourceConfig", "sourceRevisionConfig"];
const CREATES_REVISION = /^(secrets|redeployTriggers|source_revision_config\..*|source_config\.resource_spec)$/;
const LOCAL_OPTIONS = ["redeployTriggers", "waitFor", "rollbackOnFailure"];

const toSnakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Normalizes equal values: CPU is rounded to one decimal; null, and an empty value of an environment variable, are
 * omitted.
 */
function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, part]) => part !== null && !("name" in value && key === "value" && part === ""))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [
      key,
      /cpu/i.test(key) && typeof part === "number" ? Math.round(part * 10) : normalize(part),
    ]);
  return Object.fromEntries(entries);
}

const text = (value: unknown) => JSON.stringify(normalize(value ?? {}));

/** Returns the fields in which two declarations differ, by their API names where they have one. */
export function changedFields(before: PropertyMap, after: PropertyMap): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => !key.startsWith("__") && key !== "sourcePath")
    .flatMap((key) => {
      if (!GROUPS.includes(key))
        return text(before[key]) === text(after[key]) ? [] : [LOCAL_OPTIONS.includes(key) ? key : toSnakeCase(key)];
      const [left, right] = [(before[key] ?? {}) as PropertyMap, (after[key] ?? {}) as PropertyMap];
      const fields = [...new Set([...Object.keys(left), ...Object.keys(right)])];
      return fields
        .filter((field) => text(left[field]) !== text(right[field]))
        .map((field) => `${toSnakeCase(key)}.${toSnakeCase(field)}`);
    });
}

/** Returns the fields that an update sends to a server with `remote`, and whether it creates a revision. */
export function expectedPatch(
  before: PropertyMap,
  after: PropertyMap,
  remote: PropertyMap,
): { fields: string[]; createsRevision: boolean } {
  const changed = changedFields(withOneList(before), withOneList(after))
    .filter((field) => !isAlreadySet(field, before, after, remote))
    .flatMap((field) => (field === "source_digest" ? uploadedFields(after) : [field]));
  return {
    fields: [...new Set(changed)].filter((field) => !LOCAL_OPTIONS.includes(field)),
    createsRevision: changed.some((field) => CREATES_REVISION.test(field)),
  };
}

/** An upload repeats the configuration file, which some servers keep with a revision only. */
function uploadedFields({ sourceRevisionConfig }: PropertyMap): string[] {
  const { agentgraphConfigPath } = (sourceRevisionConfig ?? {}) as PropertyMap;
  const names = agentgraphConfigPath ? ["source_tarball_path", "agentgraph_config_path"] : ["source_tarball_path"];
  return names.map((name) => `source_revision_config.${name}`);
}

/** The server has one list of variables, secret or not. */
function withOneList({ secrets, environment, ...rest }: PropertyMap): PropertyMap {
  return { ...rest, secrets: { ...(secrets as PropertyMap), ...(environment as PropertyMap) } };
}

/** The server may already have chosen the declared value. */
function isAlreadySet(field: string, before: PropertyMap, after: PropertyMap, remote: PropertyMap): boolean {
  const [group = "", name] = field.split(".");
  if (name === undefined) return false;
  const at = (properties: PropertyMap, key: string): unknown =>
    Object.entries(properties).find(([own]) => toSnakeCase(own) === key)?.[1];
  const part = (properties: PropertyMap) => at((at(properties, group) ?? {}) as PropertyMap, name);
  if (name !== "resource_spec") return text(part(after)) === text(part(remote));
  const [from, to, current] = [before, after, remote].map((properties) => (part(properties) ?? {}) as PropertyMap) as [
    PropertyMap,
    PropertyMap,
    PropertyMap,
  ];
  return Object.keys({ ...from, ...to })
    .filter((key) => text(from[key]) !== text(to[key]))
    .every((key) => to[key] !== undefined && text({ [key]: to[key] }) === text({ [key]: current[toSnakeCase(key)] }));
}
