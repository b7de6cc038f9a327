/** The examples pass the type check of users, and keep their form. examples.release.test.ts runs them. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/packages/checkout";
import { compileExamples } from "../support/programs/compile";
import { EXAMPLES, examples, filesOf, withOtherProviders } from "../support/programs/examples";
import { World } from "../support/world";

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

test("every example is linked from the guide or the README, and listed with the others", () => {
  const files = execFileSync("git", ["ls-files", "."], { cwd: EXAMPLES, encoding: "utf8" }).split("\n");
  const names = [...new Set(files.flatMap((file) => /^(.+?)\//.exec(file)?.[1] ?? []))];
  const pages = readdirSync(join(ROOT, "docs")).filter((file) => file.endsWith(".md"));
  const texts = ["README.md", ...pages.map((file) => `docs/${file}`)].map((file) =>
    readFileSync(join(ROOT, file), "utf8"),
  );
  expect(names.filter((name) => !texts.some((text) => text.includes(`\`examples/${name}`)))).toEqual([]);
  const list = readFileSync(join(EXAMPLES, "README.md"), "utf8");
  expect(names.filter((name) => !list.includes(`](${name}/`))).toEqual([]);
});
