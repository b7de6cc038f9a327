/** Whether a program can run: the age of Node, and whether the stub in state will find this very package from the program's folder, asked of a real Node. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeProblem, packageProblem } from "../../sdk/usable";

const root = realpathSync(join(__dirname, "../.."));
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "agentgraph-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What the check says of a program in the folder; empty when it passes. */
function complaint(program = folder): string {
  const usable = JSON.stringify(join(root, "dist/sdk/usable.js"));
  const check = `process.stdout.write(require(${usable}).${packageProblem.name}(process.argv[1]) ?? "")`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", check, program], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

const modules = () => {
  mkdirSync(join(folder, "node_modules"));
  return join(folder, "node_modules/pulumi-agentgraph");
};

it("a program that depends on this package passes, through a link too", () => {
  symlinkSync(root, modules());
  expect(complaint()).toBe("");
});

it("a program that reaches it only through another package is told to add it, and where", () => {
  expect(complaint()).toContain(`cannot be found from the program's folder ${folder}, where Pulumi looks for it`);
  const asked = (manifest: string) => `add "pulumi-agentgraph" to the dependencies in ${join(folder, manifest)}, even`;
  expect(complaint()).toContain(asked("package.json"));

  const source = join(folder, "project/src");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(folder, "project/package.json"), "{}");
  expect(complaint(source)).toContain(asked("project/package.json"));
});

it("a program with a copy of its own is told of both", () => {
  const copy = modules();
  mkdirSync(copy);
  const manifest = { name: "pulumi-agentgraph", exports: { "./provider": "./provider.js" } };
  writeFileSync(join(copy, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(copy, "provider.js"), "");
  expect(complaint()).toContain(`${copy}/provider.js is found from the program's folder`);
  expect(complaint()).toContain(`${root}/dist/provider/index.js declares the resources`);
});

describe("Node", () => {
  it.each(["18.20.0", "20.19.5", "22.18.0", "22.9.9"])("%s is too old, and one sentence says so", (version) => {
    expect(nodeProblem(version)).toContain(`needs Node 22.19 or newer, and this program runs on ${version}`);
  });

  it.each(["22.19.0", "22.20.1", "23.0.0", "24.11.0", "100.0.0"])("%s is new enough", (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });
});
