import { randomUUID } from "node:crypto";
import { setGraphs } from "../../agent-server/graphs/of-deployment";
import { purgeDeployment } from "../../control-plane/deletion";
import { insert, updateDeployment } from "../../control-plane/model/records";
import { fillResourceSpec } from "../../control-plane/model/resource-spec";
import * as schemas from "../../control-plane/model/schemas";
import { sealSecrets } from "../../control-plane/model/secrets";
import { installationCluster } from "../../control-plane/rollout/cluster";
import { defaultTenantId } from "../../http/auth";
import type { Context } from "../../runtime/context";
import { limits } from "../../runtime/limits";
import { graphKinds } from "../../runtime/options";
import * as v from "../../runtime/validation/schema";
import { ensureProject } from "../../tracing/projects";
import { seedDestination, seededDestination } from "../exports";

/** The default listener. */
const defaultListener = {
  id: "22222222-2222-4222-8222-222222222222",
  compute_type: "k8s",
  compute_id: "local-cluster",
  compute_config: { k8s_namespaces: ["default", "agents"] },
};

/** The ID of the default integration. */
const defaultIntegrationId = "33333333-3333-4333-8333-333333333333";

const tenant = v.withDefault(v.uuid(), defaultTenantId);

const seededListener = v.object("SeededListener", {
  id: v.uuid(),
  tenant_id: tenant,
  compute_type: v.withDefault(v.string(), "k8s"),
  compute_id: v.withDefault(v.string(), "local-cluster"),
  compute_config: v.withDefault(v.object("ComputeConfig", { k8s_namespaces: v.list(v.string()) }), {
    k8s_namespaces: ["default"],
  }),
});

const seededDeployment = v.object("SeededDeployment", {
  id: v.uuid(),
  tenant_id: tenant,
  name: v.required(v.string()),
  source: v.withDefault(v.enumOf(schemas.sources), "external_docker"),
  source_config: v.withDefault(schemas.sourceConfig, {}),
  source_revision_config: v.withDefault(schemas.sourceRevisionConfig, {}),
  secrets: v.withDefault(v.list(schemas.secret), []),
  secret_references: schemas.deployment.fields.secret_references,
  status: v.withDefault(v.string(), "READY"),
  revision_id: v.uuid(),
  /** Status of its only revision; null: no revision. */
  revision_status: v.withDefault(v.nullable(v.string()), "DEPLOYED"),
  created_at: v.datetime(),
  image_version: v.nullable(v.string()),
  is_managed_deep_agent: v.withDefault(v.boolean(), false),
  remote_reconciled: v.withDefault(v.boolean(), false),
  tag_value_ids: v.withDefault(v.list(v.string()), []),
  /** Graphs of its agent server: name to the built-in graph that implements it. */
  graphs: v.withDefault(v.map(v.enumOf(graphKinds)), {}),
});

const seededKey = v.object("Key", {
  key: v.required(v.string({ minLength: 1 })),
  organization: v.withDefault(v.boolean(), false),
  workspaces: v.withDefault(v.list(v.uuid()), []),
  expires_at: v.nullable(v.datetime()),
});

const seededRepository = v.object("SeededRepository", {
  integration_id: v.withDefault(v.uuid(), defaultIntegrationId),
  owner: v.withDefault(v.string(), "team"),
  name: v.required(v.string({ minLength: 1 })),
  url: v.string(),
  default_branch: v.withDefault(v.string(), "main"),
});

/** The content of a namespace. Absent lists are not checked. */
const seededNamespace = v.object("SeededNamespace", {
  /** The listener of the cluster; null: the installation's own cluster, for deployments without a listener. */
  listener_id: v.withDefault(v.nullable(v.uuid()), defaultListener.id),
  name: v.required(v.string({ minLength: 1 })),
  /** Orchestrator secrets: name to keys. */
  secrets: v.map(v.list(v.string())),
  service_accounts: v.list(v.string()),
});

/** The request body of `POST /_emulator/seed`. */
export const seedBody = v.object("Seed", {
  workspaces: v.list(v.object("Workspace", { id: v.required(v.uuid()), name: v.required(v.string()) })),
  keys: v.list(seededKey),
  listeners: v.list(seededListener),
  integrations: v.list(
    v.object("Integration", {
      id: v.uuid(),
      tenant_id: tenant,
      installation_id: v.withDefault(v.integer({ minimum: 0, maximum: limits.admin.maxInteger }), 1),
      name: v.required(v.string()),
    }),
  ),
  repositories: v.list(seededRepository),
  namespaces: v.list(seededNamespace),
  deployments: v.list(seededDeployment),
  destinations: v.list(seededDestination),
});
/** Seed data in which fields with defaults are optional. */
export type Seed = v.Input<typeof seedBody>;

/** Seeds the default workspace, a listener, and an integration with a repository. Does nothing in a seeded store. */
export function seedDefaults(context: Context): void {
  const { store } = context;
  if (store.get("SELECT 1 FROM state WHERE key = 'planted'")) return;
  store.run("INSERT OR IGNORE INTO workspaces (id, name) VALUES (?, 'default')", defaultTenantId);
  const sql = "INSERT OR IGNORE INTO listeners (id, tenant_id, seq, listener) VALUES (?, ?, 0, ?)";
  store.run(sql, defaultListener.id, defaultTenantId, JSON.stringify(defaultListener));
  store.upsert("integrations", {
    id: defaultIntegrationId,
    tenant_id: defaultTenantId,
    installation_id: 1,
    name: "local",
  });
  seedRepository(context, {
    integration_id: defaultIntegrationId,
    owner: "team",
    name: "agent",
    default_branch: "main",
  });
  store.run("INSERT INTO state (key, value) VALUES ('planted', '1')");
}

/** Inserts seed data. Objects with an existing ID (key, name, repository URL) replace the old ones. Returns the IDs. */
export function insertSeed(context: Context, seed: v.Infer<typeof seedBody>): Record<string, string[]> {
  const { store } = context;
  for (const { id, name } of seed.workspaces ?? []) store.upsert("workspaces", { id, name });
  for (const key of seed.keys ?? []) seedKey(context, key);
  for (const repository of seed.repositories ?? []) seedRepository(context, repository);
  for (const namespace of seed.namespaces ?? []) seedNamespace(context, namespace);
  return {
    listeners: (seed.listeners ?? []).map((listener, index) => seedListener(context, listener, index + 1)),
    integrations: (seed.integrations ?? []).map(({ id = randomUUID(), tenant_id, installation_id, name }) => {
      store.upsert("integrations", { id, tenant_id, installation_id, name });
      return id;
    }),
    deployments: (seed.deployments ?? []).map((deployment) => seedDeployment(context, deployment)),
    destinations: (seed.destinations ?? []).map((destination) => seedDestination(context, destination)),
  };
}

function seedKey(
  { store }: Context,
  { key, organization, workspaces, expires_at = null }: v.Infer<typeof seededKey>,
): void {
  store.upsert("keys", { key, organization: Number(organization), workspaces: JSON.stringify(workspaces), expires_at });
}

function seedNamespace({ store }: Context, seeded: v.Infer<typeof seededNamespace>): void {
  const { listener_id, name, secrets, service_accounts } = seeded;
  store.upsert("namespaces", {
    cluster: listener_id ?? installationCluster,
    name,
    secrets: secrets === undefined ? null : JSON.stringify(secrets),
    service_accounts: service_accounts === undefined ? null : JSON.stringify(service_accounts),
  });
}

function seedRepository({ store }: Context, seeded: v.Infer<typeof seededRepository>): void {
  const { owner, name, url = `https://git.example/${owner}/${name}` } = seeded;
  store.upsert("repositories", { ...seeded, url });
}

function seedListener({ store }: Context, seeded: v.Infer<typeof seededListener>, seq: number): string {
  const { id = randomUUID(), tenant_id, ...rest } = seeded;
  store.upsert("listeners", { id, tenant_id, seq, listener: JSON.stringify({ id, ...rest }) });
  return id;
}

function seedDeployment(context: Context, seeded: v.Infer<typeof seededDeployment>): string {
  const { store, clock } = context;
  const {
    revision_id = randomUUID(),
    revision_status,
    source_revision_config,
    secret_references = null,
    image_version = null,
    graphs,
    ...rest
  } = seeded;
  const { id = randomUUID(), created_at = clock.isoNow() } = rest;
  const findReplaced = "SELECT id FROM deployments WHERE id = ? OR (tenant_id = ? AND name = ?)";
  for (const row of store.all(findReplaced, id, rest.tenant_id, rest.name)) purgeDeployment(context, String(row.id));
  const { resource_spec } = rest.source_config;
  const secrets = sealSecrets(context, id, rest.secrets);
  insert(store, "deployments", {
    ...rest,
    id,
    secrets,
    created_at,
    updated_at: created_at,
    secret_references,
    image_version,
    source_config: { ...rest.source_config, ...(resource_spec && { resource_spec: fillResourceSpec(resource_spec) }) },
  });
  setGraphs(context, id, graphs);
  ensureProject(store, { tenant_id: rest.tenant_id, name: rest.name, start_time: created_at });
  if (revision_status === null) return id;
  const revision = { id: revision_id, deployment_id: id, created_at, updated_at: created_at, status: revision_status };
  insert(store, "revisions", { ...revision, source_revision_config, secrets, plan: { steps: [], logs: [] } });
  const active_revision_id = revision_status === "DEPLOYED" ? revision_id : null;
  updateDeployment(context, id, { latest_revision_id: revision_id, active_revision_id, updated_at: created_at });
  return id;
}
