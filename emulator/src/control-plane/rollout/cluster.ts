import type { Context } from "../../runtime/context";
import type { Row } from "../../runtime/storage/store";
import type { DeploymentRecord } from "../model/records";

/** The cluster of a deployment without a listener: the installation's own. */
export const installationCluster = "";

/**
 * Returns why a deployment's workload cannot run: a missing namespace, orchestrator secret or service account. A
 * cluster without seeded namespaces is assumed to have everything.
 */
export function findMissingPrerequisite({ store }: Context, deployment: DeploymentRecord): string | undefined {
  const { listener_id, listener_config, resource_spec } = deployment.source_config;
  const listener = listener_id && store.get("SELECT listener FROM listeners WHERE id = ?", listener_id);
  if (listener_id && !listener) return `The listener ${listener_id} does not exist`;
  const rows = store.all("SELECT * FROM namespaces WHERE cluster = ?", listener_id ?? installationCluster);
  if (rows.length === 0) return undefined;
  const namespaces = listener ? JSON.parse(String(listener.listener)).compute_config.k8s_namespaces : undefined;
  const namespace: string = listener_config?.k8s_namespace ?? namespaces?.[0] ?? "default";
  const row = rows.find(({ name }) => name === namespace);
  if (!row) return `The namespace '${namespace}' does not exist`;
  return findMissingSecret(row, deployment) ?? findMissingServiceAccount(row, resource_spec?.service_account_name);
}

function findMissingSecret(row: Row, { source_config, secret_references }: DeploymentRecord): string | undefined {
  if (row.secrets === null) return undefined;
  const secrets: Record<string, string[]> = JSON.parse(String(row.secrets));
  const location = `in namespace '${row.name}'`;
  for (const { secret_name: secret, secret_key: key } of secret_references ?? []) {
    if (!Object.hasOwn(secrets, secret)) return `The secret '${secret}' does not exist ${location}`;
    if (!secrets[secret]?.includes(key)) return `The secret '${secret}' ${location} has no key '${key}'`;
  }
  const missing = source_config.resource_spec?.image_pull_secrets?.find(({ name }) => !Object.hasOwn(secrets, name));
  return missing && `The image pull secret '${missing.name}' does not exist ${location}`;
}

function findMissingServiceAccount(row: Row, account: string | null | undefined): string | undefined {
  if (row.service_accounts === null || account == null) return undefined;
  const accounts: string[] = JSON.parse(String(row.service_accounts));
  return accounts.includes(account)
    ? undefined
    : `The service account '${account}' does not exist in namespace '${row.name}'`;
}
