/** examples/automation: a program creates and deletes environments, shows progress, and can be interrupted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { runEnvironment } from "../../support/run/environment";
import { Program } from "../support/programs/program";
import { waitUntil } from "../support/wait-until";
import { API_KEY, World } from "../support/world";

const world = new World();
let folder: string;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  folder = (await Program.copy("automation", await world.createFolder("automation"))).folder;
  env = {
    ...runEnvironment(),
    // The types of the program are checked in examples.e2e.test.ts.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    HOME: await world.createFolder("home"),
    PULUMI_BACKEND_URL: pathToFileURL(await world.createFolder("state")).href,
    PULUMI_CONFIG_PASSPHRASE: "a passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    AGENTGRAPH_CONTROL_PLANE_URL: world.url,
    AGENTGRAPH_API_KEY: API_KEY,
  };
});

function start(...args: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const child = spawn(process.execPath, ["environments.mts", ...args], { cwd: folder, env, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return { child, ended: once(child, "close").then(([code]) => ({ code, output })) };
}

test("an environment is created with progress messages, updated and deleted", async () => {
  const up = await start("up", "feature-x").ended;
  const [{ id, name } = { id: "", name: "" }] = await world.deployments();
  expect(name).toBe("support-agent-feature-x");
  expect(up).toMatchObject({ code: 0 });
  expect(up.output).toContain("create support-agent …\n");
  expect(up.output).toContain("support-agent done\n");
  expect(up.output).toContain(`succeeded: ${world.url}/agents/${id}`);

  expect(await start("up", "feature-x", "registry.example.com/support-agent:2.0.0").ended).toMatchObject({ code: 0 });
  expect((await world.getDeployment(id))?.revisions).toHaveLength(2);

  const down = await start("down", "feature-x").ended;
  expect(down).toMatchObject({ code: 0, output: expect.stringContaining("feature-x was removed") });
  expect(await world.deployments()).toEqual([]);
});

const countPolls = () => world.emulator.requestLog.count({ method: "GET", path: "/v2/deployments/*/revisions/*" });

test("a run stopped by its supervisor saves its state, and the next run has nothing to repair", async () => {
  await world.requests();
  await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
  const { child, ended } = start("up", "feature-y");
  await waitUntil(
    () => countPolls() > 0,
    () => "the provider to poll the revision",
  );
  const other = await start("up", "feature-y").ended;
  expect(other).toMatchObject({ code: 1, output: expect.stringMatching(/^up feature-y: another run is in progress/m) });
  child.kill("SIGTERM");
  const before = countPolls();
  await waitUntil(
    () => countPolls() > before + 1,
    () => "the provider to keep waiting",
  );
  await world.emulator.faults.clear();
  const stopped = await ended;
  expect(stopped.code).toBe(1);
  expect(stopped.output).toContain("DEPLOYING, ");
  expect(stopped.output).toContain("up feature-y: see the errors above");
  expect(stopped.output).not.toContain("CommandError");

  await world.requests();
  expect(await start("up", "feature-y").ended).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
  expect(await start("down", "feature-y").ended).toMatchObject({ code: 0 });
});

test("a failure is reported once, and an environment that does not exist cannot be deleted", async () => {
  await world.emulator.faults.add({
    method: "POST",
    path: "/v2/deployments",
    status: 403,
    body: { detail: "not yours" },
  });
  const up = await start("up", "feature-z").ended;
  expect(up.code).toBe(1);
  expect(up.output.split("not yours")).toHaveLength(2);
  expect(up.output.trimEnd().split("\n").at(-1)).toBe("up feature-z: see the errors above");
  expect(await start("down", "feature-z").ended).toMatchObject({ code: 0 });

  const down = await start("down", "feature-z").ended;
  expect(down).toEqual({ code: 1, output: "down feature-z: this environment does not exist\n" });
  expect(await start("dwon", "feature-z").ended).toEqual({
    code: 2,
    output: "Usage: node environments.mts up <name> [image] | down <name>\n",
  });
});
