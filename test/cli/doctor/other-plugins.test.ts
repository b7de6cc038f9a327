/** `agentgraph doctor` names the plugin that a state makes Pulumi start, where the program would get another one. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { importsNative } from "../../../cli/doctor/program/native-imports";
import { checkStoredPlugins } from "../../../cli/doctor/program/other-plugins";
import { newFolder } from "../../../emulator/test/support/folder";
import { version } from "../../../package.json";

let folder: string;
let environment: Record<string, string>;
beforeEach(() => {
  folder = newFolder();
  environment = { PATH: `${join(folder, "bin")}:/usr/bin:/bin` };
  write("bin/pulumi", `#!/bin/sh\ncat "${folder}/plugins.json"\n`);
  write("Pulumi.yaml", "name: agents\nruntime: yaml\n");
  install(version);
});

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

function install(...versions: string[]): void {
  const plugins = versions.map((one) => ({ name: "agentgraph", kind: "resource", version: one }));
  write("plugins.json", JSON.stringify(plugins));
}

const provider = (inputs: object) => ({
  ...{ type: "pulumi:providers:agentgraph", urn: "urn:pulumi:dev::shop::pulumi:providers:agentgraph::default_0_0_9" },
  inputs: { version: "0.0.9", ...inputs },
});
const stored = async (inputs: object, more: Record<string, string> = {}) =>
  (await checkStoredPlugins([provider(inputs)], { folder, env: { ...environment, ...more } })).map(
    ({ status, message }) => `${status}: ${message}`,
  );
const start = "note: the provider default_0_0_9 in state names the plugin agentgraph 0.0.9, which ";

test("another version of the plugin in state is downloaded where it is missing, unless it may not be", async () => {
  expect(await stored({})).toEqual([`${start}is not installed, so Pulumi downloads it`]);
  const url = "https://plugins.example.com";
  expect(await stored({ pluginDownloadURL: url })).toEqual([
    `${start}is not installed, so Pulumi downloads it from ${url}`,
  ]);
  const never = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
  expect(await stored({}, never)).toEqual([`${start}is not installed, so Pulumi fails`]);
});

test("a state that names another version of the plugin makes Pulumi start that one where it is installed", async () => {
  install("0.0.9", version);
  expect(await stored({})).toEqual([`${start}Pulumi starts for it`]);
});

test("a version in state changes nothing where the project names the plugin, or the versions are equal", async () => {
  expect(await stored({ version })).toEqual([]);
  write("plugin/pulumi-resource-agentgraph", "");
  write("Pulumi.yaml", "plugins: { providers: [{ name: agentgraph, path: plugin }] }");
  expect(await stored({})).toEqual([]);
});

test("a program that is not where its project says imports nothing", () =>
  expect(importsNative(join(folder, "missing"))).toBe(false));
