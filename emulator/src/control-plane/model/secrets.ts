import type { Context } from "../../runtime/context";
import type { Secret } from "./schemas";

type Vault = Pick<Context, "secretBox">;

/** Returns secrets as they are stored: encrypted, for one deployment. */
export function sealSecrets({ secretBox }: Vault, deploymentId: string, secrets: readonly Secret[]): string {
  return secretBox.seal(JSON.stringify(secrets), deploymentId);
}

/** Returns the stored secrets of a deployment or of one of its revisions. */
export function openSecrets({ secretBox }: Vault, deploymentId: string, sealed: string): Secret[] {
  return JSON.parse(secretBox.open(sealed, deploymentId));
}

/** Encrypts what earlier versions stored as JSON, and gives their revisions the secrets of the deployment. */
export function sealEarlierSecrets(context: Pick<Context, "store" | "secretBox">): void {
  const { store } = context;
  const isSealed = store.transaction(() => {
    const rows = store.all("SELECT id, secrets FROM deployments WHERE secrets LIKE '[%'");
    for (const { id, secrets } of rows) {
      store.update(
        "deployments",
        { id: String(id) },
        { secrets: sealSecrets(context, String(id), JSON.parse(String(secrets))) },
      );
    }
    store.run(`UPDATE revisions SET secrets = (SELECT secrets FROM deployments WHERE id = deployment_id)
      WHERE secrets IS NULL`);
    return rows.length > 0;
  });
  if (isSealed) store.compact();
}
