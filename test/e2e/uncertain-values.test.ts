/** Values that a preview does not know: what it says of them, compared with what the run then does. */
import { defaultTenantId } from "../../emulator/src";
import { agentgraph } from "../cli/support/command";
import type { CommandResult } from "./support/cli";
import type { CliStack } from "./support/cli-stack";
import { messagesOf, steps } from "./support/events";
import { type AgentOptions, agentSource } from "./support/program";
import { API_KEY, World } from "./support/world";

const world = new World({ strict: true, speed: "instant", apiKey: API_KEY });
let stack: CliStack;

const KEPT = "unknown until its source is updated, which keeps the value";
const [FOLLOWERS, THREAD] = [["talk", "daily", "once"], "talk"];
const DATA_LOSS = "its database and threads are lost";

/** Source text: a deployment, and what refers to its outputs rather than to its ID. */
function program(args: AgentOptions = {}): string {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const destination = {
    ...{ destinationType: "s3", displayName: "traces", config: { bucketName: "exports", prefix: "p", endpointUrl } },
    credentials: { accessKeyId, secretAccessKey },
  };
  return [
    agentSource(args),
    'new agentgraph.Thread("talk", { deploymentUrl: agent.url, metadata: { graph_id: "echo" } });',
    `const traces = new agentgraph.BulkExportDestination("traces", ${JSON.stringify(destination)});`,
    "const project = { bulkExportDestinationId: traces.id, sessionId: agent.tracingProjectId };",
    'const from = { ...project, startTime: "2026-01-01T00:00:00Z" };',
    'new agentgraph.ScheduledBulkExport("daily", { ...from, intervalHours: 168 });',
    'new agentgraph.BulkExport("once", { ...from, endTime: "2026-01-02T00:00:00Z" });',
  ].join("\n");
}

/** What `agentgraph review` makes of a preview. */
async function reviewOf({ events }: CommandResult, ...args: string[]) {
  await stack.program.file("events.json", events.map((event) => JSON.stringify(event)).join("\n"));
  const options = ["review", "events.json", "--json", ...args];
  const { stdout } = await agentgraph({ args: options, cwd: stack.program.folder });
  return JSON.parse(stdout) as { failOn: { found: object }; stacks: { changes: Change[] }[] };
}
type Change = { name: string; effects: string[] };

/** By word of --fail-on: the names of the resources. */
const matches = async (preview: CommandResult, words: string, ...args: string[]) =>
  (await reviewOf(preview, "--fail-on", words, ...args)).failOn.found;

beforeAll(async () => {
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  stack = await world.stack({ project: "uncertain", env });
  await stack.program.write(program());
  expect(await stack.up()).toMatchObject({ code: 0 });
});

test("an update of a deployment leaves resources that use its outputs unchanged, as its preview shows", async () => {
  await stack.program.write(program({ image: "registry.example.com/agent:2" }));
  const preview = await stack.preview();
  expect(messagesOf(preview, "talk")).toEqual([`changes nothing on the server: deploymentUrl; ${KEPT}`]);
  for (const name of ["daily", "once"])
    expect(messagesOf(preview, name)).toEqual([`changes nothing on the server: sessionId; ${KEPT}`]);
  expect(await matches(preview, "data-loss,replace,restart", "--include-uncertain")).toEqual({});
  expect(steps(await stack.up())).toEqual(["update agent"]);
});

test("a replacement of a deployment replaces its thread and restarts its exports, as its preview shows", async () => {
  await stack.program.write(program({ image: "registry.example.com/agent:2", name: "other" }));
  const preview = await stack.preview();
  expect(messagesOf(preview, "talk")).toEqual([
    "REPLACED, its history is lost: deploymentUrl (its deployment is replaced)",
  ]);
  for (const name of ["daily", "once"])
    expect(messagesOf(preview, name).join()).toMatch(
      /^restarts the export: sessionId \(its deployment gets another name\)/,
    );
  expect(await matches(preview, "data-loss,restart")).toEqual({
    "data-loss": ["agent", "talk"],
    restart: ["once", "daily"],
  });
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  // Another name is another project.
  for (const name of FOLLOWERS) expect(steps(run)).toContain(`replace ${name}`);
});

test("a replacement requested by a command is counted by review, and no row contradicts it", async () => {
  const { id } = (await stack.resources()).get(THREAD) ?? {};
  const preview = await stack.preview("--replace", stack.urn("agent"));
  expect(steps(preview)).toContain("replace agent");
  expect(messagesOf(preview, "agent").join()).not.toMatch(/changes nothing|in place|new revision/);
  expect(messagesOf(preview, "talk").join()).toMatch(/^possibly REPLACED, its history is lost: deploymentUrl/);
  const [{ changes = [] } = {}] = (await reviewOf(preview)).stacks;
  const lost = changes.filter(({ effects }) => effects.includes("data-loss"));
  expect(lost.map(({ name }) => name).sort()).toEqual(["agent", "talk"]);
  expect(await stack.up("--replace", stack.urn("agent"))).toMatchObject({ code: 0 });
  expect((await stack.resources()).get(THREAD)?.id).not.toBe(id);
});

test("replaceOnChanges replaces the deployment, and its row shows what is lost", async () => {
  const declared = {
    image: "registry.example.com/agent:2",
    name: "other",
    options: '{ replaceOnChanges: ["secrets.A"] }',
  };
  await stack.program.write(program({ ...declared, secrets: { A: "one" } }));
  const preview = await stack.preview();
  expect(messagesOf(preview, "agent")).toEqual([`REPLACED, ${DATA_LOSS}: secrets.A (replaceOnChanges)`]);
  expect(steps(preview)).toContain("replace agent");
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  expect(steps(run)).toContain("replace agent");
});

test("a deployment kept by retainOnDelete is adopted again, with a warning that names both possible reasons", async () => {
  const declared = { image: "registry.example.com/agent:2", name: "other" };
  await stack.program.write(agentSource({ ...declared, options: "{ retainOnDelete: true }" }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const [{ id } = {}] = await world.deployments();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toMatchObject([{ id }]);
  await stack.program.write(agentSource(declared));
  const run = await stack.up();
  expect(run).toMatchObject({ code: 0 });
  expect(messagesOf(run, "agent")).toContain(
    `Resuming Deployment ${id}: this resource created it in an earlier run that was interrupted, or retainOnDelete kept it.`,
  );
});
