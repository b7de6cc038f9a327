/** The commands on a version of Node that cannot load their modules. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newFolder } from "../../emulator/test/support/folder";

const root = join(__dirname, "../..");
const folder = newFolder();

/** Makes the process an old Node, which has no other modules than its own and those of this repository. */
const OLD_NODE = `
const { Module } = require("node:module");
const load = Module._load;
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
Module._load = function (name, ...rest) {
  if (!/^[./]|^(node:)?(fs|module|path)$/.test(name)) throw new Error("The old Node cannot load " + name);
  return load.call(this, name, ...rest);
};`;

test.each([
  ["dist/cli/main.js", ["doctor"]],
  ["dist/cli/main.js", ["doctor", "--json"]],
  ["dist/cli/main.js", ["--help"]],
  ["emulator/dist/main.js", ["status"]],
  ["emulator/dist/main.js", []],
])("%s %j says which version of Node it requires", async (file, args) => {
  const preload = join(folder, "old-node.cjs");
  writeFileSync(preload, OLD_NODE);
  const run = promisify(execFile)(process.execPath, ["--require", preload, join(root, file), ...args], { cwd: folder });
  const { code, stdout, stderr } = await run.catch((error) => error);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^error: \S+ requires Node 22\.19 or newer, but .*20\.20\.2\. Install a newer Node\.\n$/);
});
