/** The examples pass the type check of users, and keep their form. examples.release.test.ts runs them. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { definitions } from "../../provider/definitions";
import { ROOT } from "./support/checkout";
import { EXAMPLES, examples, filesOf, sourceOf } from "./support/examples";
import { Program } from "./support/program";
import { World } from "./support/world";

const world = new World();

/** What programs add that Node.js runs without a compiler. The others pass with it, too. */
const NATIVE = { allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: false };

// One compiler run for all examples takes a tenth of the time of a type check by the engine before each run.
test("the programs of all examples pass the type check of their projects", async () => {
  const programs = await Promise.all(
    examples.map(async (example) => Program.copy(example, await world.createFolder(`examples/${example}`))),
  );
  const settings = examples.map((name) => JSON.parse(readFileSync(join(EXAMPLES, name, "tsconfig.json"), "utf8")));
  const [common] = settings.map(({ compilerOptions }) => compilerOptions);
  for (const { compilerOptions } of settings)
    expect({ ...compilerOptions, ...NATIVE }).toEqual({ ...common, ...NATIVE });
  const project = {
    compilerOptions: { ...common, ...NATIVE },
    files: programs.flatMap(({ folder }, index) => settings[index].files.map((file: string) => join(folder, file))),
  };
  const file = join(await world.createFolder("examples"), "tsconfig.json");
  await writeFile(file, JSON.stringify(project));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", file]).catch((failure) => failure);
  expect(stdout).toBe("");
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
