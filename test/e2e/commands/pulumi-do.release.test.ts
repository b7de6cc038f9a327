import type { CliStack } from "../support/cli/cli-stack";
import { pluginFolder } from "../support/packages/plugin";
import { program } from "../support/programs/all-kinds";
import { World } from "../support/world";

const world = new World({
  ...{ strict: true, speed: "instant" },
  ...{ bucketKey: "a-bucket-key", bucketSecret: "a-bucket-secret" },
});

const OTHERS = `
new agentgraph.Assistant("support", { deploymentId: agent.id, graphId: "echo" });
new agentgraph.Cron("nightly", { deploymentId: agent.id, assistantId: "echo", schedule: "0 3 * * *", input: {} });`;

/** A resource of each kind, by its name, and whether a deployment contains it. */
const KINDS = {
  agent: ["Deployment", false],
  lake: ["BulkExportDestination", false],
  once: ["BulkExport", false],
  daily: ["ScheduledBulkExport", false],
  thread: ["Thread", true],
  support: ["Assistant", true],
  nightly: ["Cron", true],
} as const;
type Name = keyof typeof KINDS;

let stack: CliStack;
let plugin: string;

beforeAll(async () => {
  plugin = await pluginFolder();
  const env = { ...world.tracing, BUCKET_URL: world.emulator.bucket.url, PULUMI_EXPERIMENTAL: "true" };
  stack = await world.stack({ project: "do", env });
  await stack.program.usePlugin();
  await stack.program.file("index.js", program() + OTHERS);
  expect(await stack.up()).toMatchObject({ code: 0 });
});

const run = (kind: string, ...args: string[]) =>
  stack.run("do", "--package", plugin, `agentgraph:${kind}`, "--output", "json", ...args);

const idOf = async (name: Name) => String((await stack.resources()).get(name)?.id);

test.each(Object.keys(KINDS) as Name[])("the resource %s is listed with the ID by which it is read", async (name) => {
  const [kind, isContained] = KINDS[name];
  const [id, deploymentId] = [await idOf(name), await idOf("agent")];
  const listed = await run(kind, "list", ...(isContained ? ["--deployment-id", deploymentId] : []));
  expect(listed).toMatchObject({ code: 0 });
  const [object, ...others] = JSON.parse(listed.output);
  expect(object.id).toBe(isContained ? `${deploymentId}/${id}` : id);
  expect(others).toEqual([]);
  const read = await run(kind, "read", object.id);
  expect(read).toMatchObject({ code: 0 });
  expect(read.output).toContain(`"id": "${id}"`);
  expect(read.output).not.toMatch(/a-secret-value|a-bucket-(key|secret)/);
});
