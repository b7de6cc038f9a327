/** examples/automation: environments that a program makes and takes away, with progress, and stopped in the middle. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { Program } from "./support/program";
import { until } from "./support/until";
import { API_KEY, World } from "./support/world";

const world = new World();
let folder: string;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  folder = (await Program.copy("automation", await world.make("automation"))).folder;
  env = {
    PATH: process.env.PATH,
    HOME: await world.make("home"),
    PULUMI_BACKEND_URL: pathToFileURL(await world.make("state")).href,
    PULUMI_CONFIG_PASSPHRASE: "a passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    AGENTGRAPH_CONTROL_PLANE_URL: world.url,
    AGENTGRAPH_API_KEY: API_KEY,
  };
});

function start(...args: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const child = spawn(process.execPath, ["environments.mts", ...args], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return { child, ended: once(child, "close").then(([code]) => ({ code, output })) };
}

test("an environment comes with its progress, changes, and goes", async () => {
  const up = await start("up", "feature-x").ended;
  const [{ id, name } = { id: "", name: "" }] = await world.deployments();
  expect(name).toBe("support-agent-feature-x");
  expect(up).toMatchObject({ code: 0 });
  expect(up.output).toContain("create support-agent …\n");
  expect(up.output).toContain("support-agent done\n");
  expect(up.output).toContain(`succeeded: ${world.url}/agents/${id}`);

  expect(await start("up", "feature-x", "registry.example.com/support-agent:2.0.0").ended).toMatchObject({ code: 0 });
  expect((await world.look(id))?.revisions).toHaveLength(2);

  const down = await start("down", "feature-x").ended;
  expect(down).toMatchObject({ code: 0, output: expect.stringContaining("feature-x is gone") });
  expect(await world.deployments()).toEqual([]);
});

test("asked to stop, it saves what runs, and the next one has nothing to mend", async () => {
  await world.requests();
  await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
  const { child, ended } = start("up", "feature-y");
  await until(
    () => world.emulator.journal.count({ method: "GET", path: "/v2/deployments/*/revisions/*" }) > 0,
    () => "the provider to look at the revision",
  );
  child.kill("SIGTERM");
  await until(
    () => world.emulator.journal.count({ method: "GET", path: "/v2/deployments/*/revisions/*" }) > 2,
    () => "the provider to go on waiting",
  );
  await world.emulator.faults.clear();
  const stopped = await ended;
  expect(stopped.code).not.toBe(0);
  expect(stopped.output).toContain("DEPLOYING, ");

  await world.requests();
  expect(await start("up", "feature-y").ended).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  expect(await start("down", "feature-y").ended).toMatchObject({ code: 0 });
});
