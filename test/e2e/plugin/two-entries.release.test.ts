/**
 * Two entries of state that name one object, in separate provider processes: what a run imports or resumes, it does not
 * delete.
 */
import { nativeStack, TENANT } from "../support/all-kinds";
import { succeeds } from "../support/cli";
import type { CliStack } from "../support/cli-stack";
import { API_KEY, World } from "../support/world";

const world = new World({
  ...{ strict: true, speed: "instant" },
  ...{ bucketKey: "a-bucket-key", bucketSecret: "a-bucket-secret" },
});

type Library = "pulumi-agentgraph" | "pulumi-agentgraph/native";
const DYNAMIC: Library = "pulumi-agentgraph";
const NATIVE: Library = "pulumi-agentgraph/native";

interface Names {
  /** Resource names, with their options as source code. */
  agent: [name: string, options: string];
  talk: [name: string, options: string];
}

/** Declares an agent and a thread. */
const program = (library: Library, { agent, talk }: Names) => `const pulumi = require("@pulumi/pulumi");
const agentgraph = require("${library}");
const other = new agentgraph.Provider("other", { controlPlaneUrl: process.env.AGENTGRAPH_CONTROL_PLANE_URL,
  apiKey: process.env.AGENTGRAPH_API_KEY });
const agent = new agentgraph.Deployment("${agent[0]}", { name: "agent", source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" } }, ${agent[1]});
new agentgraph.Thread("${talk[0]}", { deploymentId: agent.id, threadId: "${THREAD}" }, ${talk[1]});
exports.url = agent.url;`;

const THREAD = "12345678-1234-4234-8234-123456789abc";
const PLAIN: Names = { agent: ["agent", "{}"], talk: ["talk", "{}"] };

async function createStack(project: string, library: Library): Promise<{ stack: CliStack; id: string }> {
  const stack = await world.stack({ project });
  await stack.program.usePlugin();
  await stack.program.file("index.js", program(library, PLAIN));
  expect(await stack.up()).toMatchObject({ code: 0 });
  return { stack, id: String((await stack.resources()).get("agent")?.id) };
}

async function up(stack: CliStack, library: Library, names: Names) {
  await stack.program.file("index.js", program(library, names));
  return stack.up();
}

/** Declares a destination, and what a schedule needs. */
const exportsOf = (library: Library) => `const agentgraph = require("${library}");
const other = new agentgraph.Provider("other", { tracingApiUrl: process.env.AGENTGRAPH_TRACING_API_URL,
  apiKey: process.env.AGENTGRAPH_API_KEY, tenantId: process.env.AGENTGRAPH_TENANT_ID });
const lake = new agentgraph.BulkExportDestination("lake", { destinationType: "s3", displayName: "lake",
  config: { bucketName: "exports", prefix: "${library}", endpointUrl: process.env.BUCKET_URL },
  credentials: { accessKeyId: "a-bucket-key", secretAccessKey: "a-bucket-secret" } });
const daily = { bulkExportDestinationId: lake.id, allExperiments: true,
  startTime: "2100-01-01T00:00:00Z", intervalHours: 24 };`;

async function statusOf(id: string): Promise<unknown> {
  const response = await fetch(`${world.url}/api/v1/bulk-exports/${id}`, {
    headers: { "x-api-key": API_KEY, "x-tenant-id": TENANT },
  });
  return ((await response.json()) as { status: unknown }).status;
}

/** The deployment and its thread still exist. */
async function expectAlive(id: string): Promise<void> {
  expect(await world.getDeployment(id)).toMatchObject({ status: "READY" });
  expect((await fetch(`${world.url}/agents/${id}/threads/${THREAD}`)).status).toBe(200);
}

async function expectDestroyed(stack: CliStack, ...args: string[]): Promise<void> {
  expect(await stack.destroy(...args)).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
}

test("an import of what the stack has is refused with an alias, which works until a destroy", async () => {
  const { stack, id } = await createStack("explicit", DYNAMIC);
  const imported = (what: string) => `{ provider: other, import: "${what}" }`;
  const refused = await up(stack, DYNAMIC, { agent: ["agent2", imported(id)], talk: PLAIN.talk });
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(
    /is already managed by this stack as urn:pulumi:dev::.*::agent\. No changes were made\./,
  );
  expect(refused.output).toContain('aliases: [{ name: "agent" }]');
  await expectAlive(id);

  const names: Names = { agent: ["agent2", '{ aliases: [{ name: "agent" }] }'], talk: PLAIN.talk };
  expect(await up(stack, DYNAMIC, names)).toMatchObject({ code: 0 });
  await expectAlive(id);
  await expectDestroyed(stack, "--run-program");
});

test("the native provider keeps what an explicit provider imports when its old entry leaves the program", async () => {
  const stack = await nativeStack(world, "exports");
  const declare = (name: string, options: string) => `${exportsOf(NATIVE)}
  new agentgraph.ScheduledBulkExport("${name}", daily, ${options});`;
  await stack.program.file("index.js", declare("daily", "{}"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const id = String((await stack.resources()).get("daily")?.id);
  await stack.program.file("index.js", declare("nightly", `{ provider: other, import: "${id}" }`));
  const moved = await succeeds(stack.up());
  expect(moved.output).toContain(`ScheduledBulkExport ${id} was not deleted, because the program still declares it as`);
  expect(moved.output).toContain('aliases: [{ name: "daily" }]');
  expect(await statusOf(id)).toMatch(/^intervalscheduled$/i);
  expect([...(await stack.resources()).keys()]).not.toContain("daily");
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await statusOf(id)).toMatch(/^cancelled$/i);
});
