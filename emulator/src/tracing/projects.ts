import { randomUUID } from "node:crypto";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import type { Row, Store } from "../runtime/storage/store";
import { parseUuid } from "../runtime/validation/uuid";

/** A tracing project, as it is kept and answered: a session, in the words of the interface's paths. */
export interface Project {
  id: string;
  tenant_id: string;
  name: string;
  start_time: string;
  /** Set: the project is an experiment (interface.md section 4 C, rule 4). */
  reference_dataset_id: string | null;
}

/** Which project runs go to. */
export interface ProjectTarget {
  tenantId: string;
  /** A name, or the id of one that is there. */
  project: string;
  referenceDatasetId?: string;
}

export function projectById(store: Store, tenantId: string, id: string): Project | undefined {
  return toProject(store.get("SELECT * FROM projects WHERE tenant_id = ? AND id = ?", tenantId, id));
}

/** The project that is meant; made when no project has that name. */
export function openProject(context: Context, target: ProjectTarget): { project: Project; made: boolean } {
  const { tenantId, project: text, referenceDatasetId } = target;
  const project = findProject(context.store, tenantId, text);
  if (!project) return { project: makeProject(context, target), made: true };
  if (referenceDatasetId === undefined || referenceDatasetId === project.reference_dataset_id)
    return { project, made: false };
  const now = project.reference_dataset_id ?? "none";
  throw new ApiError(409, `The project ${project.name} has another reference_dataset_id (${now}), which cannot change`);
}

function findProject(store: Store, tenantId: string, text: string): Project | undefined {
  const byName = store.get("SELECT * FROM projects WHERE tenant_id = ? AND name = ?", tenantId, text);
  if (byName) return toProject(byName);
  const parsed = parseUuid(text);
  if ("error" in parsed) return undefined;
  const project = projectById(store, tenantId, parsed.uuid);
  if (project) return project;
  throw new ApiError(404, `There is no project with the id ${parsed.uuid} in this workspace; name one to make it`);
}

function makeProject({ store, clock }: Context, target: ProjectTarget): Project {
  const { tenantId: tenant_id, project: name, referenceDatasetId: reference_dataset_id } = target;
  ensureProject(store, { tenant_id, name, start_time: clock.isoNow(), reference_dataset_id });
  return findProject(store, tenant_id, name) as Project;
}

/** Makes a project unless there is one of its name. */
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
  return row as unknown as Project | undefined;
}
