/**
 * What depends on a deployment, with the real engine: an image bump leaves it alone, and a replaced deployment replaces
 * it.
 */
import { defaultTenantId } from "../../emulator/src";
import type { CommandResult } from "./support/cli";
import type { CliStack } from "./support/cli-stack";
import { agentgraph } from "./support/command";
import { changedProperties, messagesOf, steps } from "./support/events";
import { agentSource } from "./support/program";
import { API_KEY, World } from "./support/world";

const world = new World({ strict: true, speed: "instant", apiKey: API_KEY });
const SECRET = "what nobody else may read";
const KEPT = "unknown until its source is updated, which keeps the value";
/** Exports of the deployment's project, and threads of the deployment. */
const EXPORTS = ["daily", "once"];
const THREADS = ["session", "private", "copy", "by-url"];

let stack: CliStack;
let customUrl: string;

/**
 * Source text: a deployment with threads and exports of its project. A second deployment has the address of an agent
 * server that stands by itself, which stays when the deployment is replaced.
 */
function program({
  image = "registry.example.com/agent:1",
  name = "agent",
  team = "support",
  secret = SECRET,
} = {}): string {
  const step = { updates: [{ asNode: "__start__", values: { messages: [{ role: "user", content: "Hello" }] } }] };
  const inputs = { metadata: { graph_id: "echo", team }, supersteps: [step] };
  const sensitive = { sensitive: true, metadata: { graph_id: "echo", customer: secret } };
  const moved = {
    ...{ name: `${name}-moved`, source: "external_docker", sourceConfig: { customUrl } },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  };
  const { url: endpointUrl, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const destination = {
    ...{ destinationType: "s3", displayName: "traces", config: { bucketName: "exports", prefix: "p", endpointUrl } },
    credentials: { accessKeyId, secretAccessKey },
  };
  return `${agentSource({ image, name })}
    const session = new agentgraph.Thread("session", { deploymentId: agent.id, ...${JSON.stringify(inputs)} });
    new agentgraph.Thread("private", { deploymentId: agent.id, ...${JSON.stringify(sensitive)} });
    new agentgraph.Thread("copy", { deploymentId: agent.id, copyFrom: session.id });
    new agentgraph.Thread("by-url", { deploymentUrl: agent.url, metadata: { graph_id: "echo" } });
    const moved = new agentgraph.Deployment("moved", ${JSON.stringify(moved)});
    new agentgraph.Thread("stable", { deploymentId: moved.id });
    const traces = new agentgraph.BulkExportDestination("traces", ${JSON.stringify(destination)});
    const project = { bulkExportDestinationId: traces.id, sessionId: agent.tracingProjectId };
    const from = { ...project, startTime: "2026-01-01T00:00:00Z" };
    new agentgraph.ScheduledBulkExport("daily", { ...from, intervalHours: 168 });
    new agentgraph.BulkExport("once", { ...from, endTime: "2026-01-02T00:00:00Z" });
    exports.session = session.id;`;
}

/** Returns the threads of the agent server that one of the resources is on. */
async function threadsBeside(name: string): Promise<{ thread_id: string; metadata: Record<string, unknown> }[]> {
  const { outputs } = (await stack.resources()).get(name) ?? {};
  const response = await fetch(`${outputs?.url}/threads/search`, {
    method: "POST",
    body: '{"limit":100}',
    headers: { "content-type": "application/json" },
  });
  return (await response.json()) as never;
}
const remoteIds = async (name: string) => (await threadsBeside(name)).map(({ thread_id }) => thread_id).sort();

async function idsOf(...names: string[]): Promise<(string | undefined)[]> {
  const resources = await stack.resources();
  return names.map((name) => resources.get(name)?.id);
}

/** What `agentgraph review` makes of a preview. */
async function reviewOf({ events }: CommandResult, ...args: string[]) {
  await stack.program.file("events.json", events.map((event) => JSON.stringify(event)).join("\n"));
  const options = ["review", "events.json", "--json", ...args];
  const { stdout } = await agentgraph({ args: options, cwd: stack.program.folder });
  return JSON.parse(stdout) as { failOn: { matches: object }; stacks: { changes: Change[] }[] };
}
type Change = { name: string; effects: string[] };

// @covers 2B.Thread.metadata:later, 4B.POST /threads, 4B.POST /threads:state, 4B.POST /threads/{thread_id}/copy
test("threads and exports stay as they are until their deployment is replaced", async () => {
  const { deployments: [server = ""] = [] } = await world.emulator.seed({ deployments: [{ name: "stands" }] });
  customUrl = `${world.url}/agents/${server}`;
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  stack = await world.stack({ project: "threads", env });
  await stack.program.write(program());
  const created = await stack.up();
  expect(created).toMatchObject({ code: 0 });
  const ids = await idsOf(...THREADS);
  expect(await remoteIds("session")).toEqual([...ids].sort());

  // A new image, and metadata that changes in place, also where it is secret.
  const changed = { image: "registry.example.com/agent:2", team: "sales", secret: `${SECRET} either` };
  await stack.program.write(program(changed));
  const preview = await stack.preview("--diff");
  expect(changedProperties(preview)).toEqual(expect.arrayContaining(["metadata.customer", "metadata.team"]));
  expect(steps(preview)).not.toContain("update copy");
  expect(messagesOf(preview, "session")).toEqual(["in place: metadata.team"]);
  expect(messagesOf(preview, "by-url")).toEqual([`changes nothing on the server: deploymentUrl; ${KEPT}`]);
  for (const name of EXPORTS)
    expect(messagesOf(preview, name)).toEqual([`changes nothing on the server: sessionId; ${KEPT}`]);
  const flags = ["--fail-on", "data-loss,replace,restart", "--include-uncertain"];
  expect((await reviewOf(preview, ...flags)).failOn.matches).toEqual({});
  await world.requests();
  const updated = await stack.up();
  expect(updated).toMatchObject({ code: 0 });
  expect(steps(updated).sort()).toEqual(["update agent", "update private", "update session"]);
  const [session, hidden] = ids;
  const writes = world.writes().filter((request) => request.includes("/threads"));
  expect(writes.map((request) => request.replace(/\/.*\//, "")).sort()).toEqual(
    [`PATCH ${session}`, `PATCH ${hidden}`].sort(),
  );
  expect(await idsOf(...THREADS)).toEqual(ids);
  expect((await threadsBeside("session")).find(({ thread_id }) => thread_id === session)?.metadata).toMatchObject({
    team: "sales",
  });

  // A replacement that a command asks for: nothing in the program says so.
  const requested = await stack.preview("--replace", stack.urn("agent"));
  expect(steps(requested)).toContain("replace agent");
  expect(messagesOf(requested, "agent").join()).not.toMatch(/changes nothing|in place|new revision/);
  // Certain, if the engine has asked about a thread that refers to the ID before.
  expect(messagesOf(requested, "by-url").join()).toMatch(/^(possibly )?REPLACED, its history is lost: deploymentUrl/);
  const [{ changes = [] } = {}] = (await reviewOf(requested)).stacks;
  const lost = changes.filter(({ effects }) => effects.includes("data-loss")).map(({ name }) => name);
  expect(lost.sort()).toEqual(["agent", ...THREADS].sort());

  // A new name replaces the deployment: the preview reports its threads as lost, and they are created again.
  await stack.program.write(program({ ...changed, name: "renamed" }));
  const stableId = (await idsOf("stable"))[0];
  const replacing = await stack.preview();
  for (const name of ["session", "stable"])
    expect(messagesOf(replacing, name)).toEqual([
      "REPLACED, its history is lost: deploymentId (its deployment is replaced)",
    ]);
  expect(messagesOf(replacing, "by-url")).toEqual([
    "REPLACED, its history is lost: deploymentUrl (its deployment is replaced)",
  ]);
  for (const name of EXPORTS)
    expect(messagesOf(replacing, name).join()).toMatch(
      /^restarts the export: sessionId \(its deployment gets another name\)/,
    );
  expect((await reviewOf(replacing, "--fail-on", "data-loss,restart")).failOn.matches).toEqual({
    "data-loss": expect.arrayContaining(["agent", "moved", "stable", ...THREADS]),
    restart: expect.arrayContaining(EXPORTS),
  });
  const replaced = await stack.up();
  expect(replaced).toMatchObject({ code: 0 });
  for (const name of [...THREADS, ...EXPORTS]) expect(steps(replaced)).toContain(`replace ${name}`);
  const later = await idsOf(...THREADS);
  for (const id of ids) expect(later).not.toContain(id);
  expect(await remoteIds("session")).toEqual([...later].sort());
  // The address of the second deployment has not changed.
  expect((await stack.resources()).get("stable")?.outputs?.url).toBe(customUrl);
  expect(await remoteIds("stable")).toEqual(await idsOf("stable"));
  expect(await remoteIds("stable")).not.toContain(stableId);

  const exported = await stack.run("stack", "export");
  const destroyed = await stack.destroy();
  expect(destroyed).toMatchObject({ code: 0 });
  expect(await world.deployments()).toMatchObject([{ id: server }]);
  const runs = [created, preview, updated, requested, replacing, replaced, exported, destroyed];
  const everything = [
    ...runs.map(({ output, events }) => output + JSON.stringify(events)),
    await stack.readBackend(),
  ].join("\n");
  expect(everything).not.toContain(SECRET);
});
