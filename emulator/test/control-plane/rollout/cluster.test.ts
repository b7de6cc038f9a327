import { type Client, createDeployment, docker, rolloutMs, start, statuses } from "../../support/emulator";
import { logMessages } from "../../support/tarballs";

const listener_id = "22222222-2222-4222-8222-222222222222";

const listener_config = { k8s_namespace: "agents" };
const references = [{ name: "DATABASE_URL", secret_name: "db", secret_key: "url" }];
const constructed = [{ name: "URL", secret_name: "constructor", secret_key: "url" }];

/** Runs a rollout on the first listener; returns its final status and the errors in its log. */
async function rolloutResult(client: Client, spec: object, secret_references: object[] = []) {
  const source_config = { listener_id, listener_config, resource_spec: spec };
  const { id } = await createDeployment(client, docker("agent", { source_config, secret_references }), rolloutMs);
  const [status] = await statuses(client, id);
  return [status, ...(await logMessages(client, id, "deploy", "&level=ERROR"))];
}

// API `2A.SecretReference.secret_name` and `2A.ResourceSpec.service_account_name`: both must already exist in the
// namespace.
describe("a rollout", () => {
  const agents = { name: "agents", secrets: { db: ["url"] }, service_accounts: ["agent"] };

  // @covers 2A.SecretReference.secret_name, 2A.SecretReference.secret_key, 2A.ListenerConfig.k8s_namespace
  // @covers 2A.ResourceSpec.service_account_name, 2A.ResourceSpec.image_pull_secrets
  test.each<[string, object, object, object[], RegExp]>([
    ["a namespace", { name: "other" }, {}, [], /namespace 'agents' does not exist/],
    ["a secret", { ...agents, secrets: {} }, {}, references, /secret 'db' does not exist in namespace 'agents'/],
    ["a secret named constructor", { ...agents, secrets: {} }, {}, constructed, /secret 'constructor' does not exist/],
    ["a key of a secret", { ...agents, secrets: { db: ["user"] } }, {}, references, /secret 'db' .* has no key 'url'/],
    [
      "a pull secret",
      agents,
      { image_pull_secrets: [{ name: "pull" }] },
      [],
      /image pull secret 'pull' does not exist/,
    ],
    ["a service account", agents, { service_account_name: "root" }, [], /service account 'root' does not exist/],
  ])("fails without %s, and the log names it", async (_, namespace, spec, secretReferences, cause) => {
    const client = await start({ strict: true });
    expect((await client.admin("POST", "/seed", { namespaces: [namespace] })).status).toBe(201);
    const [status, message] = await rolloutResult(client, spec, secretReferences);
    expect(status).toBe("DEPLOY_FAILED");
    expect(message).toMatch(cause);
  });

  // @covers 2A.SecretReference.secret_name
  test("succeeds if all objects exist", async () => {
    const client = await start({ strict: true });
    await client.emulator.seed({ namespaces: [{ ...agents, secrets: { db: ["url"], pull: [] } }] });
    const spec = { image_pull_secrets: [{ name: "pull" }], service_account_name: "agent" };
    expect(await rolloutResult(client, spec, references)).toEqual(["DEPLOYED"]);
  });

  test.each([[], [{ name: "agents" }]])("checks no list or namespace that was not seeded", async (...namespaces) => {
    const client = await start({ strict: true });
    await client.emulator.seed({ namespaces });
    expect(await rolloutResult(client, { service_account_name: "any" }, references)).toEqual(["DEPLOYED"]);
  });

  test("succeeds once the object exists", async () => {
    const client = await start({ strict: true });
    await client.emulator.seed({ namespaces: [{ name: "agents", secrets: {} }] });
    const source_config = { listener_id, listener_config };
    const { id } = await createDeployment(client, docker("agent", { source_config, secret_references: references }));
    await client.advance(rolloutMs);
    await client.emulator.seed({ namespaces: [{ name: "agents", secrets: { db: ["url"] } }] });
    await client.patch(`/v2/deployments/${id}`, { source_revision_config: { image_uri: "x:2" } });
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOY_FAILED", "DEPLOYED"]);
  });

  test("checks the installation's own cluster for deployments without a listener", async () => {
    const client = await start({ strict: true });
    await client.emulator.seed({ namespaces: [{ listener_id: null, name: "default", secrets: {} }] });
    const { id } = await createDeployment(client, docker("agent", { secret_references: references }), rolloutMs);
    const [message] = await logMessages(client, id, "deploy", "&level=ERROR");
    expect(message).toBe("The secret 'db' does not exist in namespace 'default'");
  });

  test("fails after its listener is deleted", async () => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, docker("agent", { source_config: { listener_id } }), rolloutMs);
    await client.admin("DELETE", `/listeners/${listener_id}`);
    await client.patch(`/v2/deployments/${id}`, { source_revision_config: { image_uri: "x:2" } });
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "DEPLOY_FAILED"]);
  });
});
