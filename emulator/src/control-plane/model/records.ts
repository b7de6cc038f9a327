import type { Context } from "../../runtime/context";
import { fromRow, type Row, type Store, toRow } from "../../runtime/storage/store";
import type { SourceFacts } from "../build/read-source";
import type { AgentBinding, SecretReference, Source, SourceConfig, SourceRevisionConfig } from "./schemas";

/** A deployment as stored. */
export interface DeploymentRecord {
  id: string;
  tenant_id: string;
  /** That of a deployment for an agent is internal: responses do not show it. */
  name: string;
  /** The agent that it runs, in place of a name. */
  agent: AgentBinding | null;
  display_name: string | null;
  /** Fields that the platform stores without acting on them here. */
  extra: Record<string, unknown> | null;
  source: Source;
  status: string;
  created_at: string;
  updated_at: string;
  source_config: SourceConfig;
  /** Encrypted; secrets.ts reads it. */
  secrets: string;
  secret_references: SecretReference[] | null;
  /** The revision configuration at creation; the first revision may be created later. */
  first_revision_config: SourceRevisionConfig | null;
  latest_revision_id: string | null;
  active_revision_id: string | null;
  image_version: string | null;
  is_managed_deep_agent: boolean;
  remote_reconciled: boolean;
  tag_value_ids: string[];
}

/** A revision as stored. */
export interface RevisionRecord {
  seq: number;
  id: string;
  deployment_id: string;
  status: string;
  created_at: string;
  updated_at: string;
  source_revision_config: SourceRevisionConfig;
  /** Those of the deployment when it was created, encrypted. */
  secrets: string;
  /**
   * The commands of its agent when it was created, encrypted; null if the built-in graphs responded. agents/ reads
   * them.
   */
  commands: string | null;
  /** The remaining statuses and the log lines of the last one. */
  plan: RolloutPlan;
}

export interface RolloutPlan {
  steps: string[];
  logs: { level: string; message: string }[];
  /** The beginning of the last line in the log of a revision that will fail. */
  stopsAt?: string;
  /** Facts about its source, where it could be read. */
  source?: SourceFacts;
  /** The status whose command has ended, where a command decides how long a status lasts. */
  finished?: string;
}

const columns = {
  json: [
    ...["source_config", "secret_references", "tag_value_ids", "source_revision_config", "first_revision_config"],
    ...["agent", "extra", "plan"],
  ],
  booleans: ["is_managed_deep_agent", "remote_reconciled"],
};

/** Inserts a new deployment or revision. */
export function insert(store: Store, table: "deployments" | "revisions", record: object): void {
  store.insert(table, toRow(record));
}

export function updateDeployment(context: Context, id: string, change: Partial<DeploymentRecord>): void {
  update(context, "deployments", id, change);
  if (change.active_revision_id != null) context.events.emit("revisionActivated", id);
  context.events.emit("rolloutsChanged");
}

export function updateRevision(context: Context, id: string, change: Partial<RevisionRecord>): void {
  update(context, "revisions", id, change);
  if (change.status !== undefined) recordStatus(context, id);
  context.events.emit("rolloutsChanged");
}

/** Adds the status of a revision to its history. */
export function recordStatus({ store, clock }: Context, id: string): void {
  const sql = `INSERT INTO revision_statuses (deployment_id, revision_id, status, at)
    SELECT deployment_id, id, status, ? FROM revisions WHERE id = ?`;
  store.run(sql, clock.now(), id);
}

/** Returns the statuses of a revision in order; empty for a revision that an earlier version of the emulator stored. */
export function statusHistory(store: Store, id: string): { status: string; at: string }[] {
  const rows = store.all("SELECT status, at FROM revision_statuses WHERE revision_id = ? ORDER BY seq", id);
  return rows.map(({ status, at }) => ({ status: String(status), at: new Date(Number(at)).toISOString() }));
}

export function deploymentById(store: Store, id: string): DeploymentRecord | undefined {
  const row = store.get("SELECT * FROM deployments WHERE id = ?", id);
  return row && toDeployment(row);
}

export function revisionById(store: Store, id: string): RevisionRecord | undefined {
  const row = store.get("SELECT * FROM revisions WHERE id = ?", id);
  return row && toRevision(row);
}

/** Returns the revisions that are live or being built or started. */
export function runningRevisions(store: Store): RevisionRecord[] {
  const sql = `SELECT revisions.* FROM revisions JOIN deployments ON deployments.id = deployment_id
    WHERE revisions.status IN ('BUILDING', 'DEPLOYING') OR revisions.id = active_revision_id ORDER BY revisions.seq`;
  return store.all(sql).map(toRevision);
}

/** Returns the revisions of a deployment, newest first. */
export function revisionsOf(store: Store, deploymentId: string): RevisionRecord[] {
  return store.all("SELECT * FROM revisions WHERE deployment_id = ? ORDER BY seq DESC", deploymentId).map(toRevision);
}

/** Returns whether revisions of a deployment are built before they are deployed. */
export function requiresBuild({ source }: DeploymentRecord): boolean {
  return source === "githost" || source === "internal_source";
}

/** Returns the configuration of the latest revision or, before the first one, the configuration at creation. */
export function latestRevisionConfig(store: Store, deployment: DeploymentRecord): SourceRevisionConfig {
  const { latest_revision_id: id, first_revision_config: first } = deployment;
  return (id ? revisionById(store, id)?.source_revision_config : first) ?? {};
}

/** Returns the latest configuration without server-assigned values. */
export function latestConfig(store: Store, deployment: DeploymentRecord): SourceRevisionConfig {
  const { repo_commit_sha, image_uri, ...config } = latestRevisionConfig(store, deployment);
  return requiresBuild(deployment) ? config : { ...config, image_uri };
}

export function toDeployment(row: Row): DeploymentRecord {
  return fromRow(row, columns);
}

function toRevision(row: Row): RevisionRecord {
  return fromRow(row, columns);
}

function update(context: Context, table: string, id: string, change: object): void {
  context.store.update(table, { id }, toRow({ updated_at: context.clock.isoNow(), ...change }));
}
