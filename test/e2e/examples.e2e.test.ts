/** The examples pass the type check of users, and keep their form. examples.release.test.ts runs them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definitions } from "../../provider/definitions";
import { ROOT } from "./support/checkout";
import { compileExamples } from "./support/compile";
import { EXAMPLES, examples, filesOf, sourceOf, withOtherProviders } from "./support/examples";
import { World } from "./support/world";

const world = new World();

test("the programs of all examples pass the type check of their projects", async () => {
  const own = examples.filter((example) => !withOtherProviders.includes(example));
  expect(await compileExamples(world, own)).toBe("");
});

test("every program of an example stays under 40 lines", () => {
  for (const example of examples) {
    for (const name of filesOf(example)) {
      expect(readFileSync(join(EXAMPLES, example, name), "utf8").split("\n").length).toBeLessThanOrEqual(40);
    }
  }
});

// Without its own compiler, the engine uses a TypeScript of 2020, which rejects these settings.
test("every example depends on the compiler version that its settings require", () => {
  const of = (path: string) => JSON.parse(readFileSync(path, "utf8")).devDependencies?.typescript;
  const ours = of(join(ROOT, "package.json"));
  for (const example of examples)
    expect([example, of(join(EXAMPLES, example, "package.json"))]).toEqual([example, ours]);
});

test("every resource, and every source of a deployment, has an example", () => {
  const all = examples.map(sourceOf).join("\n");
  for (const { kind } of definitions) expect(all).toContain(`agentgraph.${kind}(`);
  for (const source of ["githost", "external_docker", "internal_docker", "internal_source", "internal_template"]) {
    expect(all).toContain(`source: "${source}"`);
  }
});
