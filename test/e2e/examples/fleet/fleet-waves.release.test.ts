/** examples/fleet: one program, many stacks, in waves. pipelines.release.test.ts has its workflow. */
import { World } from "../../support/world";
import { FleetProject, rowsOf } from "./fleet-project";

const world = new World();
let fleet: FleetProject;

beforeAll(async () => {
  fleet = await FleetProject.create(world, "fleet");
});

test("a run updates the canary group first, stops at the first failure, and continues there", async () => {
  const stacks = ["canary", "support", "sales"].flatMap((group) => ["--stack", `staging-${group}`]);
  await world.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" }, skip: 1, times: 2 });
  const first = await fleet.node("run.ts", "up", "staging", ...stacks);
  expect(rowsOf(first)).toEqual([
    "staging-canary succeeded 1 create",
    "staging-support failed",
    "staging-sales not started",
  ]);
  expect(first.output).toContain('  refunds: Deployment "refunds-staging": revision rollout failed with DEPLOY_FAILED');
  expect(first.output).toContain("3 stacks: 1 succeeded, 1 failed, 1 not started\n");
  expect(first.code).toBe(1);

  await world.requests();
  const second = await fleet.node("run.ts", "up", "staging", ...stacks.slice(0, 4));
  expect(second).toMatchObject({ code: 0 });
  expect(rowsOf(second)).toEqual(["staging-canary unchanged", "staging-support succeeded 2 update"]);
  expect(world.writes().filter((request) => !/^POST \/(v2\/deployments|agents)\//.test(request))).toEqual([]);
  expect(await fleet.read("results/review.md")).toContain("agentgraph-fleet/staging-support");
});

test("a canary that fails its check is off again, and no other wave starts", async () => {
  await fleet.edit("fleet.yaml", "chat-agent:1.4.2", "chat-agent:1.5.0");
  await world.emulator.faults.add({ method: "POST", path: "/agents/*/runs/wait", status: 500, times: 3 });
  const failed = await fleet.node("run.ts", "up", "staging");
  expect(rowsOf(failed)).toEqual(["staging-canary failed", "staging-support not started", "staging-sales not started"]);
  expect(failed.output).toContain('  helpdesk: Deployment "helpdesk-staging": check 1 of 1: ask agent failed');
  const { id = "" } = (await world.deployments()).find(({ name }) => name === "helpdesk-staging") ?? {};
  const { revisions = [], active_revision_id } = (await world.getDeployment(id)) ?? {};
  const live = revisions.find((revision) => revision.id === active_revision_id);
  expect(live?.source_revision_config.image_uri).toBe("registry.example.com/chat-agent:1.4.2");
});

const MISTAKES: [from: string, to: string, message: string][] = [
  [
    "group: canary,",
    "group: canari,",
    '25: agents.helpdesk.group: "canari" is not one of the groups: canary, support, sales',
  ],
  ["team: sales,", "team: sale,", '28: agents.quotes.team: "sale" is not one of the teams: support, sales'],
  [
    "staging: { image: search-next }",
    "test: {}",
    '28: agents.quotes.stages.test: "test" is not one of the stages: staging, production',
  ],
  [
    "{ image: search-next }",
    "{ image: search-nxt }",
    '28: agents.quotes.stages.staging.image: "search-nxt" is not one of the images: chat, search, search-next',
  ],
  ["minScale: 4", "minscale: 4", '26: agents.refunds.stages.production: Unrecognized key: "minscale"'],
  [
    "minScale: 4",
    "minScale: four",
    "26: agents.refunds.stages.production.minScale: Invalid input: expected number, received string",
  ],
  ["  quotes:", "  Quotes:", "28: agents.Quotes: must consist of lowercase letters, digits and hyphens"],
  ["  quotes:", "  refunds:", "28: Map keys must be unique"],
  ["wave: 2", "wave: -2", "22: groups.sales.wave: Too small: expected number to be >=0"],
  ["\nteams:", "\nteam:", '14: Unrecognized key: "team"'],
];

test("each mistake in fleet.yaml is reported with its line", async () => {
  const script = `
    const { parseFleet } = await import(process.cwd() + "/fleet.ts");
    const text = (await import("node:fs")).readFileSync("fleet.yaml", "utf8");
    for (const [from, to] of ${JSON.stringify(MISTAKES)}) {
      try { parseFleet(text.replace(from, to)); } catch ({ message }) { console.log(message.split("\\n").at(-1)); }
    }`;
  const { output } = await fleet.node("--input-type=module", "-e", script);
  expect(output.trim().split("\n")).toEqual(MISTAKES.map(([, , message]) => `fleet.yaml:${message}`));
  await fleet.edit("fleet.yaml", "wave: 2", "wave: two");
  expect(await fleet.node("run.ts", "up", "staging")).toEqual({
    code: 1,
    output: "fleet.yaml:22: groups.sales.wave: Invalid input: expected number, received string\n",
  });
});
