/** What the server stores in place of what a request contains. */
import type { Context } from "../../runtime/context";
import { fillResourceSpec, type ResourceSpec } from "./resource-spec";
import { type CreateBody, extraFields, type PatchBody, type Source } from "./schemas";

/** The type that a free slot gives a deployment (API `2A.SourceConfig.deployment_type:free`). */
const freeTypes: Readonly<Record<string, string>> = { dev: "dev_free", dev_zero: "dev_free_zero" };
/** Dedicated deployments have two replicas at least (API `2A.ResourceSpec.min_scale:dedicated`). */
const dedicatedReplicas = 2;

/** Returns the type of a new deployment: the platform of today assigns the one free slot of a workspace by itself. */
export function assignType(
  { settings, store }: Context,
  tenantId: string,
  { source, source_config: { deployment_type = null } }: CreateBody,
): string | null {
  if (settings.platform === "described") return source === "githost" ? (deployment_type ?? "dev") : null;
  if (source === "external_docker") return "prod";
  const free = freeTypes[deployment_type ?? ""];
  return free === undefined || countFree({ store }, tenantId) > 0 ? deployment_type : free;
}

/** Returns how many deployments of a workspace are free. */
export function countFree({ store }: Pick<Context, "store">, tenantId: string): number {
  const sql = `SELECT count(*) AS count FROM deployments
    WHERE tenant_id = ? AND source_config ->> 'deployment_type' IN (SELECT value FROM json_each(?))`;
  return Number(store.get(sql, tenantId, JSON.stringify(Object.values(freeTypes)))?.count);
}

/** Returns a spec with its defaults; null without one. */
export function storedSpec(
  { settings }: Context,
  spec: ResourceSpec | null | undefined,
  { source, type }: { source: Source; type: string | null | undefined },
): ResourceSpec | null {
  if (!spec) return null;
  const isDedicated = source !== "external_docker" && type === "prod";
  if (settings.platform === "described" || !isDedicated) return fillResourceSpec(spec);
  const min_scale = Math.max(spec.min_scale ?? 1, dedicatedReplicas);
  const max_scale = spec.max_scale == null ? null : Math.max(spec.max_scale, min_scale);
  return fillResourceSpec({ ...spec, min_scale, max_scale });
}

/** Returns the fields of a body that are stored without acting on them; null without any. */
export function extraOf(body: CreateBody | PatchBody): Record<string, unknown> | null {
  const found = Object.keys(extraFields).filter((name) => Reflect.get(body, name) != null);
  return found.length === 0 ? null : Object.fromEntries(found.map((name) => [name, Reflect.get(body, name)]));
}
