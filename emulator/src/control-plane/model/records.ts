import type { Context } from "../../runtime/context";
import { type Row, type Store, toRow } from "../../runtime/storage/store";
import type { SourceFacts } from "../build/read-source";
import type { Secret, SecretReference, Source, SourceConfig, SourceRevisionConfig } from "./schemas";

/** A deployment as it is kept. */
export interface DeploymentRecord {
  id: string;
  tenant_id: string;
  name: string;
  source: Source;
  status: string;
  created_at: string;
  updated_at: string;
  source_config: SourceConfig;
  secrets: Secret[];
  secret_references: SecretReference[] | null;
  /** What it was created with, for its first revision, which may still be to come. */
  first_revision_config: SourceRevisionConfig | null;
  latest_revision_id: string | null;
  active_revision_id: string | null;
  image_version: string | null;
  is_managed_deep_agent: boolean;
  remote_reconciled: boolean;
  tag_value_ids: string[];
}

/** A revision as it is kept. */
export interface RevisionRecord {
  seq: number;
  id: string;
  deployment_id: string;
  status: string;
  created_at: string;
  updated_at: string;
  source_revision_config: SourceRevisionConfig;
  /** The statuses still to come and what the log says at their end. */
  plan: Plan;
}

export interface Plan {
  steps: string[];
  logs: { level: string; message: string }[];
  /** The last line that the log of a revision that cannot succeed reaches, by its beginning. */
  stopsAt?: string;
  /** What reading its source found, where it could be read. */
  source?: SourceFacts;
}

const jsonColumns = [
  "source_config",
  "secrets",
  "secret_references",
  "tag_value_ids",
  "source_revision_config",
  "first_revision_config",
  "plan",
];
const booleanColumns = ["is_managed_deep_agent", "remote_reconciled"];

/** Writes every field of a new deployment or revision. */
export function insert(store: Store, table: "deployments" | "revisions", record: object): void {
  store.insert(table, toRow(record));
}

export function updateDeployment(context: Context, id: string, change: Partial<DeploymentRecord>): void {
  update(context, "deployments", id, change);
}

export function updateRevision(context: Context, id: string, change: Partial<RevisionRecord>): void {
  update(context, "revisions", id, change);
}

export function deploymentById(store: Store, id: string): DeploymentRecord | undefined {
  const row = store.get("SELECT * FROM deployments WHERE id = ?", id);
  return row && toDeployment(row);
}

export function revisionById(store: Store, id: string): RevisionRecord | undefined {
  const row = store.get("SELECT * FROM revisions WHERE id = ?", id);
  return row && toRevision(row);
}

/** Newest first. */
export function revisionsOf(store: Store, deploymentId: string): RevisionRecord[] {
  return store.all("SELECT * FROM revisions WHERE deployment_id = ? ORDER BY seq DESC", deploymentId).map(toRevision);
}

/** Whether a deployment's revisions are built before they are deployed. */
export function isBuilt({ source }: DeploymentRecord): boolean {
  return source === "githost" || source === "internal_source";
}

/** The values of the latest revision; before the first one those that it will have. */
export function latestRevisionConfig(store: Store, deployment: DeploymentRecord): SourceRevisionConfig {
  const { latest_revision_id: id, first_revision_config: first } = deployment;
  return (id ? revisionById(store, id)?.source_revision_config : first) ?? {};
}

/** The same without what only the service adds. */
export function latestConfig(store: Store, deployment: DeploymentRecord): SourceRevisionConfig {
  const { repo_commit_sha, image_uri, ...own } = latestRevisionConfig(store, deployment);
  return isBuilt(deployment) ? own : { ...own, image_uri };
}

export function toDeployment(row: Row): DeploymentRecord {
  return fromRow(row) as unknown as DeploymentRecord;
}

function toRevision(row: Row): RevisionRecord {
  return fromRow(row) as unknown as RevisionRecord;
}

function update(context: Context, table: string, id: string, change: object): void {
  context.store.update(table, { id }, toRow({ updated_at: context.clock.isoNow(), ...change }));
}

function fromRow(row: Row): Record<string, unknown> {
  const entries = Object.entries(row).map(([column, value]) => {
    if (jsonColumns.includes(column)) return [column, value === null ? null : JSON.parse(String(value))];
    return [column, booleanColumns.includes(column) ? value === 1 : value];
  });
  return Object.fromEntries(entries);
}
