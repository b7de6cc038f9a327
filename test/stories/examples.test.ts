/** Every example is a user's project, run whole: type check, up, a clean refresh, destroy. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { definitions } from "../../provider/definitions";
import { steps } from "./support/events";
import { Program, ROOT } from "./support/program";
import { World } from "./support/world";

const world = new World();
const folder = join(ROOT, "examples");
const examples = readdirSync(folder);
const sourceOf = (example: string) => readFileSync(join(folder, example, "index.ts"), "utf8");

/** What a user of the example sets with `pulumi config set`. */
const settings: Record<string, Record<string, string>> = {
  "container-image": {
    listenerId: "22222222-2222-4222-8222-222222222222",
    image: "registry.example.com/billing-agent:7.1.0",
    modelApiKey: "a-model-key",
  },
  "git-repository": { integrationId: "33333333-3333-4333-8333-333333333333", modelApiKey: "a-model-key" },
};

test.each(examples)("the example %s runs, drifts nowhere and goes without a trace", async (example) => {
  const program = await Program.copy(example, await world.make(`example-${example}`));
  const project = `agentgraph-${example}`;
  const stack = await world.stack({ project, program, backend: `state-${example}` });
  const config = Object.entries(settings[example] ?? {}).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

  const up = await stack.up(...config);
  expect(up).toMatchObject({ code: 0 });
  expect(steps(up)).toHaveLength(1);
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});

test("every example stays under 40 lines", () => {
  for (const example of examples) expect(sourceOf(example).split("\n").length).toBeLessThanOrEqual(40);
});

test("every resource, and every source of a deployment, has an example", () => {
  const all = examples.map(sourceOf).join("\n");
  for (const { kind } of definitions) expect(all).toContain(`agentgraph.${kind}(`);
  for (const source of ["githost", "external_docker", "internal_docker", "internal_source", "internal_template"]) {
    expect(all).toContain(`source: "${source}"`);
  }
});
