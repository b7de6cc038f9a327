/** Replacements that diff does not decide, in programs whose classes do not set deleteBeforeReplace: nothing is lost. */
import type { CliStack } from "./support/cli-stack";
import { World } from "./support/world";

const world = new World({
  ...{ strict: true, speed: "instant" },
  ...{ bucketKey: "a-bucket-key", bucketSecret: "a-bucket-secret" },
});
const TENANT = "11111111-1111-4111-8111-111111111111";

/** Declares a resource as a generated SDK does. */
const CLASSES = `const declare = (kind, name, args, options) =>
  new (class extends pulumi.CustomResource {})("agentgraph:index:" + kind, name, args, options);\n`;

const program = (options = "{}") => `${CLASSES}
const agent = declare("Deployment", "agent", { name: "agent", source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" } }, ${options});
declare("Thread", "thread", { deploymentId: agent.id, metadata: { team: "support" } }, ${options});
const lake = declare("BulkExportDestination", "lake", { destinationType: "s3", displayName: "lake",
  config: { bucketName: "exports", endpointUrl: process.env.BUCKET_URL },
  credentials: { accessKeyId: "a-bucket-key", secretAccessKey: "a-bucket-secret" } }, ${options});
declare("ScheduledBulkExport", "daily", { bulkExportDestinationId: lake.id, allExperiments: true,
  startTime: "2100-01-01T00:00:00Z", intervalHours: 24 }, ${options});`;

let stack: CliStack;
beforeAll(async () => {
  const env = {
    AGENTGRAPH_TRACING_API_URL: world.url,
    AGENTGRAPH_TENANT_ID: TENANT,
    BUCKET_URL: world.emulator.bucket.url,
  };
  stack = await world.stack({ project: "native-replace", env });
  await stack.program.usePlugin();
  await stack.program.write(program());
  expect(await stack.up()).toMatchObject({ code: 0 });
});

const types = { agent: "Deployment", thread: "Thread", lake: "BulkExportDestination", daily: "ScheduledBulkExport" };
const urns = () => Object.entries(types).map(([name, kind]) => stack.urn(name, `agentgraph:index:${kind}`));

/** Returns the IDs in state by name; fails when a deletion is pending. */
async function ids(): Promise<Record<string, string | undefined>> {
  const { resources = [] } = (await stack.state()).deployment;
  const managed = resources.filter(({ type }) => type.startsWith("agentgraph:"));
  expect(managed).toHaveLength(Object.keys(types).length);
  return Object.fromEntries(managed.map(({ urn, id }) => [urn.split("::").at(-1), id]));
}

test("a replacement of young objects fails with the option to set, the next up drops it, and nothing is lost", async () => {
  const before = await ids();
  const replaced = await stack.up(...urns().flatMap((urn) => ["--replace", urn]), "--continue-on-error");
  expect(replaced.code).not.toBe(0);
  expect(replaced.output).toContain("deleteBeforeReplace: true  (Python: delete_before_replace=True)");

  const next = await stack.up();
  expect(next).toMatchObject({ code: 0 });
  expect(next.output).toContain(`Deployment ${before.agent} was not deleted, because the program still declares it.`);
  expect(next.output).toContain(`Thread ${before.thread} was not deleted, because the program still declares it.`);
  expect(await ids()).toEqual(before);
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("a tainted deployment that is not young is kept, and with the option it is replaced", async () => {
  await world.emulator.clock.advance(3 * 24 * 3_600_000);
  const before = await ids();
  await stack.runOrThrow("state", "taint", stack.urn("agent", "agentgraph:index:Deployment"), "--yes");
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("deleteBeforeReplace: true  (Python: delete_before_replace=True)");
  expect(await ids()).toEqual(before);

  await stack.program.write(program("{ deleteBeforeReplace: true }"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const after = await ids();
  expect(after.agent).not.toBe(before.agent);
  expect(await world.deployments()).toMatchObject([{ id: after.agent }]);
  await stack.program.write(program());
});

test("a replacement by the option replaceOnChanges, which only the engine applies, deletes the old deployment first", async () => {
  const before = await ids();
  await stack.program.write(
    program('{ replaceOnChanges: ["sourceRevisionConfig"] }').replace("agent:1.0.0", "agent:2.0.0"),
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  const after = await ids();
  expect(after.agent).not.toBe(before.agent);
  expect(await world.deployments()).toMatchObject([{ id: after.agent }]);
});

test("a destroy after such a replacement deletes everything", async () => {
  expect((await stack.up("--replace", stack.urn("thread", "agentgraph:index:Thread"))).code).not.toBe(0);
  expect(await stack.destroy("--run-program")).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
  expect((await stack.state()).deployment.resources ?? []).toEqual([]);
});
