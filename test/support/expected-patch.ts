import type { PropertyMap } from "../../provider/schema/schema";

/** A second reading of interface section 3, rule 1, and of what a PATCH is to carry; written without the provider's code. */

const GROUPS = ["sourceConfig", "sourceRevisionConfig"];
const MAKES_REVISION = /^(secrets|redeployTriggers|source_revision_config\..*|source_config\.resource_spec)$/;
const OWN_OPTIONS = ["redeployTriggers", "waitFor", "rollbackOnFailure"];

const snake = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value in which what means the same is written the same: CPU by its first decimal, null like absent. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, part]) => part !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, /cpu/i.test(key) && typeof part === "number" ? Math.round(part * 10) : plain(part)]);
  return Object.fromEntries(entries);
}

const text = (value: unknown) => JSON.stringify(plain(value ?? {}));

/** The fields in which two declarations differ, in the words of the wire where it has one. */
export function unlikeFields(before: PropertyMap, after: PropertyMap): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => !key.startsWith("__") && key !== "sourcePath")
    .flatMap((key) => {
      if (!GROUPS.includes(key))
        return text(before[key]) === text(after[key]) ? [] : [OWN_OPTIONS.includes(key) ? key : snake(key)];
      const [left, right] = [(before[key] ?? {}) as PropertyMap, (after[key] ?? {}) as PropertyMap];
      const fields = [...new Set([...Object.keys(left), ...Object.keys(right)])];
      return fields
        .filter((field) => text(left[field]) !== text(right[field]))
        .map((field) => `${snake(key)}.${snake(field)}`);
    });
}

/** What a change sends to a service that holds `remote`, and whether it makes a revision. */
export function sentFields(
  before: PropertyMap,
  after: PropertyMap,
  remote: PropertyMap,
): { fields: string[]; makesRevision: boolean } {
  const unlike = unlikeFields(before, after)
    .filter((field) => !isSoAlready(field, before, after, remote))
    .map((field) => (field === "source_digest" ? "source_revision_config.source_tarball_path" : field));
  return {
    fields: unlike.filter((field) => !OWN_OPTIONS.includes(field)),
    makesRevision: unlike.some((field) => MAKES_REVISION.test(field)),
  };
}

/** The service may have chosen by itself what is declared only now. */
function isSoAlready(field: string, before: PropertyMap, after: PropertyMap, remote: PropertyMap): boolean {
  const [group = "", name] = field.split(".");
  if (name === undefined) return false;
  const at = (bag: PropertyMap, key: string): unknown => Object.entries(bag).find(([own]) => snake(own) === key)?.[1];
  const part = (bag: PropertyMap) => at((at(bag, group) ?? {}) as PropertyMap, name);
  if (name !== "resource_spec") return text(part(after)) === text(part(remote));
  const [from, to, held] = [before, after, remote].map((bag) => (part(bag) ?? {}) as PropertyMap) as [
    PropertyMap,
    PropertyMap,
    PropertyMap,
  ];
  return Object.keys({ ...from, ...to })
    .filter((key) => text(from[key]) !== text(to[key]))
    .every((key) => to[key] !== undefined && text({ [key]: to[key] }) === text({ [key]: held[snake(key)] }));
}
