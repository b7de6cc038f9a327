/** The built plugin as processes: what npm run plugin makes, without the engine. */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import schema from "../../../plugin/schema.json";
import { pluginFolder } from "../../e2e/support/packages/plugin";
import { runPlugin } from "./plugin-process";

const MAX_BUNDLE_BYTES = 3_400_000;
const LAUNCHER = "pulumi-resource-agentgraph";

// The first build takes long on a busy machine.
jest.setTimeout(300_000);

test("the bundle is small enough for the npm package and contains the licenses of its packages", async () => {
  const folder = await pluginFolder();
  const names = readdirSync(folder).filter((name) => name !== "cache");
  const launchers = ["pulumi-resource-", LAUNCHER, `${LAUNCHER}.cmd`];
  expect(names.sort()).toEqual(["LICENSES.txt", "main.js", ...launchers, "start.js"]);
  const sizes = names.map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MAX_BUNDLE_BYTES);
});

test("the bundle returns the schema and exits when its standard input ends", async () => {
  const launcher = join(await pluginFolder(), LAUNCHER);
  expect(await runPlugin(launcher, process.env)).toEqual({ answered: schema, code: 0 });
});

test("the bundle prints its version, which `agentgraph doctor` asks for", async () => {
  const { status, stdout } = spawnSync(join(await pluginFolder(), LAUNCHER), ["--version"], { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, `${schema.version}\n`]);
});

test("a link to a link to the launcher starts the bundle", async () => {
  const folder = newFolder();
  symlinkSync(join(await pluginFolder(), LAUNCHER), join(folder, "absolute"));
  symlinkSync("absolute", join(folder, LAUNCHER));
  expect(await runPlugin(join(folder, LAUNCHER), process.env)).toEqual({ answered: schema, code: 0 });
  const fromPath = { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) };
  expect(await runPlugin(LAUNCHER, fromPath)).toEqual({ answered: schema, code: 0 });
});

test("the launcher says what to install if PATH has no Node", async () => {
  const launcher = join(await pluginFolder(), LAUNCHER);
  const { status, stderr } = spawnSync("/bin/sh", [launcher], { env: { PATH: "" }, encoding: "utf8" });
  expect(stderr).toMatch(/^The agentgraph plugin requires Node, and PATH contains none\. Install it from/);
  expect(status).toBe(1);
});

test("the bundle says what to install if its Node is too old", async () => {
  const folder = newFolder();
  const old = join(folder, "old.js");
  writeFileSync(old, 'Object.defineProperty(process.versions, "node", { value: "22.18.0" });');
  symlinkSync(process.execPath, join(folder, "node"));
  const env = { PATH: folder, NODE_OPTIONS: `--require=${old}` };
  const launcher = join(await pluginFolder(), LAUNCHER);
  const { status, stderr } = spawnSync("/bin/sh", [launcher], { env, encoding: "utf8" });
  expect(stderr).toMatch(/^The agentgraph plugin requires Node 22\.19 or newer, and PATH contains 22\.18\.0\. Install/);
  expect(status).toBe(1);
});
