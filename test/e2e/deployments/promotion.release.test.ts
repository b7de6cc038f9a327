/** examples/promotion: the image that is live in staging is promoted to production after a review. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { agentEntry, agentsFile } from "../../../emulator/test/support/agents/agents";
import { packageFolder } from "../support/packages/packages";
import { EXAMPLES } from "../support/programs/examples";
import { Program } from "../support/programs/program";
import { API_KEY, World } from "../support/world";

// Both deployments run a real agent, so that a rollout ends when it is healthy.
const agent = {
  start: [process.execPath, "server.mjs", "{port}"],
  folder: join(EXAMPLES, "local-agent/agent"),
  environment: { MODEL_API_KEY: "a-key" },
};
const agents = agentsFile([agentEntry("", { source: undefined, ...agent })]);
const world = new World({ strict: true, speed: "instant", apiKey: API_KEY, agents });
const image = (version: string) => `registry.example.com/support-agent:${version}`;

test("production gets the image that passed its checks in staging, only after the review", async () => {
  const program = await Program.copy("promotion", await world.createFolder("promotion"));
  await mkdir(join(program.folder, "node_modules/.bin"));
  await symlink(join(packageFolder(), "dist/cli/main.js"), join(program.folder, "node_modules/.bin/agentgraph"));
  const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const [production, staging] = [
    await world.stack({ project: "agentgraph-promotion", stack: "production", program, env }),
    await world.stack({ project: "agentgraph-promotion", stack: "staging", program, env }),
  ];
  expect(await production.up("--stack", "production", "-c", `image=${image("1.0.0")}`)).toMatchObject({ code: 0 });
  expect(await staging.up("--stack", "staging", "-c", `image=${image("1.1.0")}`)).toMatchObject({ code: 0 });
  const [latest] = await world.deployments();
  expect(latest?.name).toBe("support-agent-staging");
  await world.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
  const deploy = (image_uri: string) =>
    world.call("PATCH", `/v2/deployments/${latest?.id}`, { source_revision_config: { image_uri } });
  await deploy(image("1.2.0"));

  const promote = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const options = { cwd: program.folder, env: production.environment() };
      execFile(process.execPath, ["promote.mts", ...args], options, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  await world.requests();
  const review = await promote("review");
  expect(review).toMatchObject({ code: 0, stdout: expect.stringContaining("`imageUri` `1.0.0` -> `1.1.0`") });
  expect(review.stderr).toContain(`node promote.mts apply ${image("1.1.0")}`);
  expect(world.writes()).toEqual([]);
  expect(await readFile(join(program.folder, "Pulumi.production.yaml"), "utf8")).toContain(image("1.0.0"));

  const applied = await promote("apply", image("1.1.0"));
  expect(applied).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${image("1.1.0")} is live in production: `),
  });
  const { id = "" } = (await world.deployments()).find(({ name }) => name === "support-agent-production") ?? {};
  expect(
    (await world.getDeployment(id))?.revisions.map((revision) => revision.source_revision_config.image_uri),
  ).toEqual([image("1.1.0"), image("1.0.0")]);

  // Others deploy a revision, which no check has seen.
  await deploy(image("1.3.0"));
  const refused = await promote("review");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("The live revision of support-agent-staging has not passed its checks.");
  expect(await promote("apply")).toMatchObject({ code: 2, stderr: expect.stringContaining("Usage: ") });
});
