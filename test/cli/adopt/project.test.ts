/** The folder that `agentgraph adopt` writes, and its dependency on this package, which npm can always install. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { typescript } from "../../../cli/adopt/program/typescript";
import { packageSpecifier, writeFiles } from "../../../cli/adopt/project";
import { newFolder } from "../../../emulator/test/support/folder";

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

/** Returns the dependency of a program in a subfolder. */
const specifier = (running?: string) => packageSpecifier(join(folder, "out"), folder, running);

test.each([
  ["^0.1.0", /^\^\d/],
  ["file:packages/a.tgz", /^file:\.\.\/packages\/a\.tgz$/],
  ["link:packages/a", /^link:\.\.\/packages\/a$/],
  ["https://packages.example.com/a.tgz", /^https:\/\/packages\.example\.com\/a\.tgz$/],
  ["git+https://git.example.com/a.git#v1", /^git\+https:\/\/git\.example\.com\/a\.git#v1$/],
])("a project that declares %s passes its dependency on", async (declared, expected) => {
  await writeFile(join(folder, "package.json"), JSON.stringify({ dependencies: { "pulumi-agentgraph": declared } }));
  expect(specifier()).toMatch(expected);
});

test.each([
  ["https://registry.example.com/pulumi-agentgraph/-/pulumi-agentgraph-0.1.0.tgz", /^\^\d/],
  ["file:../packages/a.tgz", /^file:\.\.\/packages\/a\.tgz$/],
  [undefined, /^file:\.\.\/tools\/node_modules\/pulumi-agentgraph$/],
])(
  "in a folder without a project, a package that was installed from %s is installed from there",
  async (resolved, expected) => {
    const modules = join(folder, "tools", "node_modules");
    await mkdir(join(modules, "pulumi-agentgraph"), { recursive: true });
    if (resolved !== undefined) {
      const packages = { "node_modules/pulumi-agentgraph": { resolved } };
      await writeFile(join(modules, ".package-lock.json"), JSON.stringify({ packages }));
    }
    expect(specifier(join(modules, "pulumi-agentgraph"))).toMatch(expected);
  },
);

test("adopt says which folder it cannot write to", async () => {
  await writeFile(join(folder, "a-file"), "");
  const writing = writeFiles(join(folder, "a-file", "out"), { "index.ts": "" }, false);
  await expect(writing).rejects.toThrow(/^Cannot write to .*: ENOTDIR/);
});

test("the name of a project is text, also in a folder whose name is a number", () => {
  expect(typescript.projectFiles({ folder: "/2026", from: "/" })["Pulumi.yaml"]).toMatch(/^name: "2026"\nruntime:/);
});
