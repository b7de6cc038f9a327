/**
 * What depends on a deployment, with the real engine: an image bump leaves it alone, and a replaced deployment replaces
 * it. plugin.e2e.test.ts shows the latter for the native provider.
 */
import { defaultTenantId } from "../../../emulator/src";
import { destinationSource } from "../support/buckets";
import { type CommandResult, succeeds } from "../support/cli";
import type { CliStack } from "../support/cli-stack";
import { agentgraph } from "../support/command";
import { messagesOf, steps } from "../support/events";
import { agentSource } from "../support/program";
import { World } from "../support/world";

const world = new World();
const KEPT = "unknown until its source is updated, which keeps the value";
const THREADS = ["session", "by-url", "copy"];
let stack: CliStack;

/** Source text: a deployment with threads, and exports of its project. */
const program = ({ image = "registry.example.com/agent:1", name = "agent", team = "support" } = {}) =>
  `${agentSource({ image, name })}
    const session = new agentgraph.Thread("session", { deploymentId: agent.id, metadata: { team: "${team}" } });
    new agentgraph.Thread("copy", { deploymentId: agent.id, copyFrom: session.id });
    new agentgraph.Thread("by-url", { deploymentUrl: agent.url, metadata: { graph_id: "echo" } });
    ${destinationSource(world.emulator.bucket, "p")}
    new agentgraph.ScheduledBulkExport("daily", { bulkExportDestinationId: lake.id, intervalHours: 168,
      sessionId: agent.tracingProjectId, startTime: "2026-01-01T00:00:00Z" });`;

async function idsOf(...names: string[]): Promise<(string | undefined)[]> {
  const resources = await stack.resources();
  return names.map((name) => resources.get(name)?.id);
}

/** What `agentgraph review` finds in a preview. */
async function matchesOf({ events }: CommandResult, ...args: string[]): Promise<object> {
  await stack.program.file("events.json", events.map((event) => JSON.stringify(event)).join("\n"));
  const { stdout } = await agentgraph({
    args: ["review", "events.json", "--json", "--fail-on", "data-loss,replace,restart", ...args],
    cwd: stack.program.folder,
  });
  return JSON.parse(stdout).failOn.matches;
}

test("threads and exports stay as they are until their deployment is replaced", async () => {
  const env = { AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId };
  stack = await world.stack({ project: "threads", env });
  await stack.program.write(program());
  expect(await stack.up()).toMatchObject({ code: 0 });
  const ids = await idsOf(...THREADS, "daily");

  const changed = { image: "registry.example.com/agent:2", team: "sales" };
  await stack.program.write(program(changed));
  const preview = await stack.preview();
  expect(messagesOf(preview, "session")).toEqual(["in place: metadata.team"]);
  expect(messagesOf(preview, "by-url")).toEqual([`changes nothing on the server: deploymentUrl; ${KEPT}`]);
  expect(messagesOf(preview, "daily")).toEqual([`changes nothing on the server: sessionId; ${KEPT}`]);
  expect(await matchesOf(preview, "--include-uncertain")).toEqual({});
  await world.requests();
  expect(steps(await stack.up()).sort()).toEqual(["update agent", "update session"]);
  const writes = world.writes().filter((request) => request.includes("/threads"));
  expect(writes).toEqual([expect.stringMatching(`^PATCH .*${ids[0]}$`)]);
  expect(await idsOf(...THREADS, "daily")).toEqual(ids);

  // A replacement that a command asks for: nothing in the program says so.
  const requested = await stack.preview("--replace", stack.urn("agent"));
  expect(messagesOf(requested, "agent").join()).not.toMatch(/changes nothing|in place|new revision/);
  expect(await matchesOf(requested)).toMatchObject({ "data-loss": expect.arrayContaining(["agent", ...THREADS]) });

  await stack.program.write(program({ ...changed, name: "renamed" }));
  const replacing = await stack.preview();
  expect(messagesOf(replacing, "by-url")).toEqual([
    "REPLACED, its history is lost: deploymentUrl (its deployment is replaced)",
  ]);
  expect(await matchesOf(replacing)).toMatchObject({
    "data-loss": expect.arrayContaining(["agent", ...THREADS]),
    restart: ["daily"],
  });
  const replaced = await succeeds(stack.up());
  for (const name of [...THREADS, "daily"]) expect(steps(replaced)).toContain(`replace ${name}`);
  for (const id of await idsOf(...THREADS)) expect(ids).not.toContain(id);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});
