/**
 * Preflight checks: the version of Node, and whether the stub in state resolves to this package from the folder of the
 * program, with a real Node.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../emulator/test/support/folder";
import { nodeProblem, packageProblem } from "../../sdk/nodejs/preflight";

const root = realpathSync(join(__dirname, "../.."));
let folder: string;
beforeEach(() => {
  folder = realpathSync(newFolder());
});

/** Returns the problem of a program in the folder; an empty string if there is none. */
function complaint(program = folder): string {
  const usable = JSON.stringify(join(root, "dist/sdk/nodejs/preflight.js"));
  const check = `process.stdout.write(require(${usable}).${packageProblem.name}(process.argv[1]) ?? "")`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", check, program], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

const modules = () => {
  mkdirSync(join(folder, "node_modules"));
  return join(folder, "node_modules/pulumi-agentgraph");
};

it("a program that depends on this package passes, also through a symbolic link", () => {
  symlinkSync(root, modules());
  expect(complaint()).toBe("");
});

it("a program without the dependency is told to which package.json to add it", () => {
  expect(complaint()).toContain(`cannot resolve pulumi-agentgraph from ${folder}, the folder of the program`);
  const asked = (manifest: string) => `Add "pulumi-agentgraph" to the dependencies in ${join(folder, manifest)}, even`;
  expect(complaint()).toContain(asked("package.json"));

  const source = join(folder, "project/src");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(folder, "project/package.json"), "{}");
  expect(complaint(source)).toContain(asked("project/package.json"));
});

it.each([
  ["runtime: python", "python"],
  ["runtime:\n  name: go\n  options: {}", "go"],
])("a component in a project with %j is told to use the native provider", (runtime, name) => {
  writeFileSync(join(folder, "Pulumi.yaml"), `name: shop\n${runtime}\n`);
  expect(complaint()).toMatch(
    new RegExp(`^The program is written for ${name}, .* from "pulumi-agentgraph/native"\\.$`),
  );
});

it("a program that bundles this package is told to mark it as external", () => {
  symlinkSync(root, modules());
  const bundle = join(folder, "dist/index.js");
  mkdirSync(join(folder, "dist"));
  copyFileSync(join(root, "dist/sdk/nodejs/preflight.js"), bundle);
  const check = `process.stdout.write(require(${JSON.stringify(bundle)}).packageProblem(${JSON.stringify(folder)}))`;
  const { stdout } = spawnSync(process.execPath, ["-e", check], { encoding: "utf8" });
  expect(stdout).toMatch(/is part of a bundle\..* mark pulumi-agentgraph as external .*--external:pulumi-agentgraph/);
});

it("a program with another copy gets the paths of both", () => {
  const copy = modules();
  mkdirSync(copy);
  const manifest = { name: "pulumi-agentgraph", exports: { "./provider": "./provider.js" } };
  writeFileSync(join(copy, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(copy, "provider.js"), "");
  expect(complaint()).toContain(`${copy}/provider.js, which the folder of the program resolves to`);
  expect(complaint()).toContain(`${root}/dist/provider/index.js, which declares the resources`);
});

describe("Node", () => {
  it.each(["18.20.0", "20.19.5", "22.18.0", "22.9.9"])("%s is too old, as the error says", (version) => {
    expect(nodeProblem(version)).toContain(`requires Node 22.19 or newer, but this program runs on ${version}`);
  });

  it.each(["22.19.0", "22.20.1", "23.0.0", "24.11.0", "100.0.0"])("%s is supported", (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });
});
