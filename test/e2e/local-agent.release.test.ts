/** examples/local-agent with rollbackOnFailure: the last good revision is deployed again, as a separate process. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EXAMPLES } from "./support/examples";
import { Program } from "./support/program";
import { API_KEY, World } from "./support/world";

const agents = join(EXAMPLES, "local-agent/agents.yaml");
const world = new World({ strict: true, speed: "instant", apiKey: API_KEY, agents });

test("a rollout whose agent does not start is rolled back, and the last good revision runs with its own secrets", async () => {
  const program = await Program.copy("local-agent", await world.createFolder("local-agent"));
  const file = join(program.folder, "index.ts");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace('waitFor: "healthy",', 'waitFor: "healthy", rollbackOnFailure: true,'));
  const stack = await world.stack({ project: "agentgraph-local-agent", program });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { id } = (await stack.resources()).get("greeter") ?? {};

  const failed = await stack.up("-c", "modelKey=");
  expect(failed.code).not.toBe(0);
  expect(failed.output).toContain("MODEL_API_KEY is not set");
  expect(failed.output).toMatch(/rolled back/i);
  const { revisions = [], active_revision_id } = (await world.getDeployment(id ?? "")) ?? {};
  expect(revisions.map(({ status }) => status)).toEqual(["DEPLOYED", "DEPLOY_FAILED", "DEPLOYED"]);
  expect(active_revision_id).toBe(revisions[0]?.id);
  const response = await fetch(`${world.url}/agents/${id}/ok`);
  expect(response.status).toBe(200);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});
