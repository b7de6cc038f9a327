import type { Tables } from "../../runtime/storage/store";

/**
 * Deployments with their revisions and logs, and what they refer to: listeners, clusters, git hosts, source tarballs.
 * Lists and objects are stored as JSON, secrets encrypted. `seq` is the order of creation.
 */
export const tables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS listeners (id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, seq INTEGER NOT NULL,
    listener TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS integrations (id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL,
    installation_id INTEGER NOT NULL, name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS repositories (
    id INTEGER PRIMARY KEY AUTOINCREMENT, integration_id TEXT NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL,
    url TEXT NOT NULL, default_branch TEXT NOT NULL, UNIQUE (integration_id, url));
  CREATE TABLE IF NOT EXISTS commits (repo_url TEXT NOT NULL, ref TEXT NOT NULL, sha TEXT NOT NULL,
    PRIMARY KEY (repo_url, ref));
  CREATE TABLE IF NOT EXISTS namespaces (
    cluster TEXT NOT NULL, name TEXT NOT NULL, secrets TEXT, service_accounts TEXT, PRIMARY KEY (cluster, name));
  CREATE TABLE IF NOT EXISTS tarballs (
    id TEXT PRIMARY KEY, deployment_id TEXT NOT NULL, object_path TEXT NOT NULL UNIQUE, signature TEXT NOT NULL,
    headers TEXT NOT NULL, created_at TEXT NOT NULL, uploaded_at TEXT);
  DROP TABLE IF EXISTS uploads;
  CREATE TABLE IF NOT EXISTS deployments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL, name TEXT NOT NULL,
    source TEXT NOT NULL,
    status TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, source_config TEXT NOT NULL,
    secrets TEXT NOT NULL,
    secret_references TEXT, first_revision_config TEXT, latest_revision_id TEXT, active_revision_id TEXT,
    image_version TEXT,
    is_managed_deep_agent INTEGER NOT NULL, remote_reconciled INTEGER NOT NULL, tag_value_ids TEXT NOT NULL,
    UNIQUE (tenant_id, name));
  CREATE TABLE IF NOT EXISTS reserved_names (tenant_id TEXT NOT NULL, name TEXT NOT NULL, until INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS revisions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, deployment_id TEXT NOT NULL, status TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, source_revision_config TEXT NOT NULL, plan TEXT NOT NULL,
    secrets TEXT,
    commands TEXT);
  CREATE INDEX IF NOT EXISTS revisions_deployment ON revisions (deployment_id, seq);
  CREATE TABLE IF NOT EXISTS logs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, deployment_id TEXT NOT NULL, revision_id TEXT NOT NULL, type TEXT NOT NULL,
    at INTEGER NOT NULL, level TEXT NOT NULL, message TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS logs_revision ON logs (revision_id, type, id);
  CREATE TABLE IF NOT EXISTS revision_statuses (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, deployment_id TEXT NOT NULL, revision_id TEXT NOT NULL, status TEXT NOT NULL,
    at INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS revision_statuses_revision ON revision_statuses (revision_id, seq);
`,
  addedColumns: {
    deployments: { first_revision_config: "TEXT", agent: "TEXT", display_name: "TEXT", extra: "TEXT" },
    revisions: { secrets: "TEXT", commands: "TEXT" },
  },
};
