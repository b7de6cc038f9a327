/** examples/fleet: what its runner promises beyond fleet-waves.release.test.ts. */
import { descendantsOf, killAll } from "../../support/cli/processes";
import { waitUntil } from "../../support/wait-until";
import { World } from "../../support/world";
import { FleetProject, rowsOf } from "./fleet-project";

const world = new World();
let count = 0;
/** A project whose agents are those of the example. The agents of the test before are gone. */
async function project(): Promise<FleetProject> {
  await fetch(`${world.emulator.urls.admin}/reset`, { method: "POST" });
  return FleetProject.create(world, `fleet-${++count}`);
}

const ALL = ["staging-canary", "staging-support", "staging-sales"];
const countPolls = () => world.emulator.requestLog.count({ method: "GET", path: "/v2/deployments/*/revisions/*" });

test("agents that get another group keep everything: their state moves, and no request writes", async () => {
  const fleet = await project();
  expect(await fleet.node("run.ts", "up", "production")).toMatchObject({ code: 0 });
  await fleet.edit("fleet.yaml", "returns: { group: support", "returns: { group: canary");
  await fleet.edit("fleet.yaml", "quotes: { group: sales", "quotes: { group: research");
  await fleet.edit("fleet.yaml", "  sales: { wave: 2 }", "  research: { wave: 2 }");
  await world.requests();
  const unmoved = await fleet.node("run.ts", "preview", "production", "--fail-on", "data-loss");
  expect(unmoved).toMatchObject({ code: 1, output: expect.stringContaining("lost): returns") });

  expect(await fleet.node("move.ts", "production")).toEqual({
    code: 0,
    output:
      "quotes: moved from production-sales to production-research\nreturns: moved from production-support to " +
      "production-canary\n",
  });
  const moved = await fleet.node("run.ts", "up", "production");
  expect(rowsOf(moved)).toEqual([
    "production-canary succeeded 2 same",
    "production-support succeeded 1 same",
    "production-research succeeded 1 same",
  ]);
  expect(moved.output).toContain("Not in fleet.yaml: production-sales.");
  expect(world.writes()).toEqual([]);
  expect((await fleet.node("move.ts", "production")).output).toBe("");

  await fleet.edit("fleet.yaml", "chat-agent:1.4.2", "chat-agent:1.5.0");
  expect(rowsOf(await fleet.node("run.ts", "up", "production"))).toEqual([
    "production-canary succeeded 2 update",
    "production-support succeeded 1 update",
    "production-research unchanged",
  ]);
});

test("one command previews all stacks, with one comment, and another one destroys them", async () => {
  const fleet = await project();
  const program = "const [stage] = stack.split";
  const exception = 'pulumi.output(stack).apply((name) => { if (/support/.test(name)) throw new Error("no data"); });';
  await fleet.edit("index.ts", program, `${exception}${program}`);
  const failed = await fleet.node("run.ts", "preview", "staging", "--at-once", "3");
  const rows = [
    "staging-canary succeeded 1 create",
    "staging-sales succeeded 1 create",
    "staging-support failed 2 create",
  ];
  expect(rowsOf(failed).sort()).toEqual(rows);
  expect(failed.output).toContain("\n  Unhandled exception: Error: no data\n");

  await fleet.edit("index.ts", exception, "");
  await world.requests();
  const preview = await fleet.node("run.ts", "preview", "staging", "--at-once", "3", "--fail-on", "create");
  expect(preview).toMatchObject({ code: 1, output: expect.stringContaining("--fail-on create") });
  const review = await fleet.read("results/review.md");
  for (const stack of ALL) expect(review).toContain(`\n### \`agentgraph-fleet/${stack}\`: `);
  expect(await world.requests()).toEqual([]);
  expect(await fleet.node("run.ts", "up", "staging")).toMatchObject({ code: 0 });
  const refreshed = await fleet.node("run.ts", "refresh", "staging", "--at-once", "1");
  expect(rowsOf(refreshed)).toEqual([
    "staging-canary succeeded 1 same",
    "staging-support succeeded 2 same",
    "staging-sales succeeded 1 same",
  ]);
  expect(await fleet.node("run.ts", "destroy", "staging")).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});

test("only a stack whose last run was a successful update to the same data is skipped", async () => {
  const fleet = await project();
  const up = async (...options: string[]) => {
    const ended = await fleet.node("run.ts", "up", "staging", "--stack", "staging-sales", ...options);
    expect(ended.code).toBe(0);
    return rowsOf(ended)[0]?.replace("staging-sales ", "");
  };
  expect(await up()).toBe("succeeded 1 create");
  expect(await up()).toBe("unchanged");
  expect(await up("--all")).toBe("succeeded 1 same");
  const stack = ["--stack", "staging-sales", "--yes"];
  expect(await fleet.pulumi("refresh", "--skip-preview", ...stack)).toMatchObject({ code: 0 });
  expect(await up()).toBe("succeeded 1 same");
  await fleet.edit("index.ts", 'secretKey: "model-api-key"', 'secretKey: "model-key"');
  expect(await up()).toBe("succeeded 1 update");

  // An update to other data is killed, and the change is reverted.
  await fleet.edit("fleet.yaml", "search-agent:2.1.0-rc.1", "search-agent:2.1.0");
  await world.requests();
  await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
  const killed = fleet.start("pulumi", "up", "--skip-preview", "--non-interactive", ...stack);
  await waitUntil(
    () => countPolls() > 0,
    () => "the provider to look at the revision",
  );
  const started = await descendantsOf(killed.child.pid);
  killed.child.kill("SIGKILL");
  killAll(started);
  await killed.ended;
  await world.emulator.faults.clear();
  await fleet.edit("fleet.yaml", "search-agent:2.1.0", "search-agent:2.1.0-rc.1");
  expect(await fleet.pulumi("cancel", ...stack)).toMatchObject({ code: 0 });
  expect(await up()).not.toBe("unchanged");
});

test("a run that is stopped by Ctrl-C saves the stacks in progress and starts no other", async () => {
  const fleet = await project();
  await world.requests();
  await world.emulator.faults.add({ hold: { status: "DEPLOYING" } });
  const { child, ended } = fleet.start(process.execPath, "run.ts", "up", "staging");
  await waitUntil(
    () => countPolls() > 0,
    () => "the provider to look at the revision",
  );
  process.kill(-(child.pid ?? 0), "SIGINT");
  const before = countPolls();
  await waitUntil(
    () => countPolls() > before + 1,
    () => "the provider to keep waiting",
  );
  await world.emulator.faults.clear();
  const stopped = await ended;
  expect(stopped.code).toBe(1);
  expect(rowsOf(stopped).slice(1)).toEqual(["staging-support not started", "staging-sales not started"]);

  await world.requests();
  expect(await fleet.node("run.ts", "up", "staging", "--stack", "staging-canary")).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
});
