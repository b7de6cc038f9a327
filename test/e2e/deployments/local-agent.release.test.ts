/** examples/local-agent: `pulumi up` starts the user's own agent, and what the provider does works with it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { fails, succeeds } from "../support/cli/cli";
import { EXAMPLES } from "../support/programs/examples";
import { Program } from "../support/programs/program";
import { API_KEY, World } from "../support/world";

const agents = join(EXAMPLES, "local-agent/agents.yaml");
const world = new World({ strict: true, speed: "instant", apiKey: API_KEY, agents });

test("an agent is deployed until it is healthy, passes its test, is replaced, and fails with its log", async () => {
  const program = await Program.copy("local-agent", await world.createFolder("local-agent"));
  const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const stack = await world.stack({ project: "agentgraph-local-agent", program, env });
  const up = await succeeds(stack.up());
  expect(up.output).not.toContain("warning");
  const resources = await stack.resources();
  const agent = resources.get("greeter");
  // Throws unless its own test passes.
  await promisify(execFile)(process.execPath, ["--test"], { cwd: program.folder, env: stack.environment() });
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });

  const pid = await pidOf(agent?.id);
  const failed = await fails(stack.up("-c", "modelKey="));
  expect(failed.output).toContain("MODEL_API_KEY is not set");
  expect(failed.output).toContain("The agent exited with code 1 before /ok returned 200");
  expect(await pidOf(agent?.id)).toBe(pid);

  expect(await stack.up("-c", "modelKey=another-key", "--refresh")).toMatchObject({ code: 0 });
  expect(await pidOf(agent?.id)).not.toBe(pid);
  await world.destroyCompletely(stack);
});

async function pidOf(id: string | undefined): Promise<number> {
  const response = await fetch(`${world.emulator.urls.admin}/agents/${id}`);
  return ((await response.json()) as { process: { pid: number } }).process.pid;
}
