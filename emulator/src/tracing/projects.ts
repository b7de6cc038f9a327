import { randomUUID } from "node:crypto";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { fromRow, type Row, type Store } from "../runtime/storage/store";
import { parseUuid } from "../runtime/validation/uuid";

/** A tracing project as stored and as responses show it. The paths of the interface call it a session. */
export interface Project {
  id: string;
  tenant_id: string;
  name: string;
  start_time: string;
  /** If set, the project is an experiment (API `4C.4`). */
  reference_dataset_id: string | null;
}

/** The project that receives runs. */
export interface ProjectTarget {
  tenantId: string;
  /** A name, or the ID of an existing project. */
  project: string;
  referenceDatasetId?: string;
}

export function projectById(store: Store, tenantId: string, id: string): Project | undefined {
  return toProject(store.get("SELECT * FROM projects WHERE tenant_id = ? AND id = ?", tenantId, id));
}

export function projectByName(store: Store, tenantId: string, name: string): Project | undefined {
  return toProject(store.get("SELECT * FROM projects WHERE tenant_id = ? AND name = ?", tenantId, name));
}

/** Deletes the tracing project of a deployment. */
export function deleteProject({ store }: Context, { tenant_id, name }: { tenant_id: string; name: string }): void {
  store.run("DELETE FROM projects WHERE tenant_id = ? AND name = ?", tenant_id, name);
}

/** Returns the target project; creates it if no project has that name. */
export function findOrCreateProject(context: Context, target: ProjectTarget): { project: Project; isNew: boolean } {
  const { tenantId, project: nameOrId, referenceDatasetId } = target;
  const project = findProject(context.store, tenantId, nameOrId);
  if (!project) return { project: createProject(context, target), isNew: true };
  if (referenceDatasetId === undefined || referenceDatasetId === project.reference_dataset_id)
    return { project, isNew: false };
  const current = project.reference_dataset_id ?? "none";
  throw new ApiError(
    409,
    `The project ${project.name} has a different reference_dataset_id (${current}), which cannot be changed`,
  );
}

function findProject(store: Store, tenantId: string, nameOrId: string): Project | undefined {
  const byName = projectByName(store, tenantId, nameOrId);
  if (byName) return byName;
  const parsed = parseUuid(nameOrId);
  if ("error" in parsed) return undefined;
  const project = projectById(store, tenantId, parsed.uuid);
  if (project) return project;
  throw new ApiError(
    404,
    `No project with ID ${parsed.uuid} exists in this workspace. To create a project, pass a name`,
  );
}

function createProject({ store, clock }: Context, target: ProjectTarget): Project {
  const { tenantId: tenant_id, project: name, referenceDatasetId: reference_dataset_id } = target;
  ensureProject(store, { tenant_id, name, start_time: clock.isoNow(), reference_dataset_id });
  return findProject(store, tenant_id, name) as Project;
}

/** Creates a project unless one of that name exists. */
export function ensureProject(
  store: Store,
  project: Pick<Project, "tenant_id" | "name" | "start_time"> & Partial<Project>,
): void {
  const { id = randomUUID(), tenant_id, name, start_time, reference_dataset_id = null } = project;
  const sql =
    "INSERT OR IGNORE INTO projects (id, tenant_id, name, start_time, reference_dataset_id) VALUES (?, ?, ?, ?, ?)";
  store.run(sql, id, tenant_id, name, start_time, reference_dataset_id);
}

function toProject(row: Row | undefined): Project | undefined {
  return row && fromRow(row, {});
}
