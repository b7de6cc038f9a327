/** Whether the stub in state will find this very package from the program's folder: asked of a real Node. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertResolvable } from "../../sdk/resource";

const root = realpathSync(join(__dirname, "../.."));
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "agentgraph-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The message of the check for a program in the folder; empty when it passes. */
function complaint(program = folder): string {
  const check = `require(${JSON.stringify(join(root, "dist/sdk/resource.js"))}).${assertResolvable.name}(process.argv[1])`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", check, program], { encoding: "utf8" });
  return status === 0 ? "" : stderr;
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
