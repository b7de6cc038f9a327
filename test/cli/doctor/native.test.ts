/** `agentgraph doctor` for programs of the native provider: it checks the plugin and the SDK, and demands no npm package. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { checkInstallation } from "../../../cli/doctor/program";
import { version } from "../../../package.json";
import { agentgraph } from "../support/command";
import { readReport } from "../support/doctor-report";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentgraph-doctor-"));
  file("bin/pulumi", '#!/bin/sh\n[ "$1" = version ] && echo v3.200.0 || cat "$PLUGINS_OF_TEST"\n');
  plugins([]);
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
}
const plugins = (list: object[]) => file("plugins.json", JSON.stringify(list));
const project = (runtime: string, more = "") => file("Pulumi.yaml", `name: agents\nruntime: ${runtime}\n${more}`);

/** Adds the plugin of a version as npm installs it, and refers to it. */
function npmPlugin(installed: string, folder = "node_modules/pulumi-agentgraph"): string {
  file(`${folder}/package.json`, JSON.stringify({ version: installed }));
  file(`${folder}/build/plugin/pulumi-resource-agentgraph`, "");
  return `plugins:\n  providers:\n    - { name: other, path: x }\n    - name: agentgraph\n      path: ${folder}/build/plugin\n`;
}

/** Returns each check as `id status: message`, with its remedy. */
async function checks(path = join(folder, "bin")): Promise<string[]> {
  const env = { PATH: [path, "/usr/bin", "/bin"].join(delimiter), PLUGINS_OF_TEST: join(folder, "plugins.json") };
  const { checks: all } = await checkInstallation({ folder, env } as never);
  return all
    .filter(({ id }) => id !== "node")
    .map(({ id, status, message, remedy }) => `${id} ${status}: ${message}${remedy ? ` -> ${remedy}` : ""}`)
    .map((line) => line.replaceAll(folder, "."));
}

it("A YAML program needs the plugin, and no npm package and no recent CLI", async () => {
  project("yaml", npmPlugin("0.1.0"));
  expect(await checks()).toEqual([
    "plugin ok: plugin agentgraph 0.1.0, in ./node_modules/pulumi-agentgraph/build/plugin",
    "cli ok: Pulumi CLI 3.200.0",
  ]);
});

it("A package that `pulumi package add` found in a folder is the plugin in that folder, and one with a version is not", async () => {
  npmPlugin("0.1.0");
  project("yaml", "packages:\n  agentgraph: ./node_modules/pulumi-agentgraph/build/plugin\n");
  const [plugin] = await checks();
  expect(plugin).toBe("plugin ok: plugin agentgraph 0.1.0, in ./node_modules/pulumi-agentgraph/build/plugin");
  project("yaml", "packages:\n  agentgraph: agentgraph@0.1.0\n");
  expect((await checks())[0]).toMatch(/^plugin fix: the plugin agentgraph is not in the project file, on PATH/);
});

it("A project file that refers to a folder without the plugin is a problem", async () => {
  project("yaml", "plugins: { providers: [{ name: agentgraph, path: ../plugin }] }\n");
  const [plugin] = await checks();
  expect(plugin).toMatch(
    /^plugin fix: Pulumi\.yaml refers to the plugin agentgraph in .*\/plugin, which does not contain/,
  );
  expect(plugin).toContain("pulumi plugin install resource agentgraph");
});

it("A plugin is found on PATH and in the plugin cache, and is missing otherwise", async () => {
  project("yaml");
  expect((await checks())[0]).toMatch(/^plugin fix: the plugin agentgraph is not in the project file, on PATH/);
  plugins([
    { name: "agentgraph", kind: "language", version: "9.9.9" },
    { name: "agentgraph", kind: "resource", version: "0.0.9" },
    { name: "agentgraph", kind: "resource", version },
  ]);
  expect((await checks())[0]).toBe(`plugin ok: plugin agentgraph ${version}, installed`);
  file("bin/pulumi-resource-agentgraph", "");
  expect((await checks())[0]).toBe("plugin ok: plugin agentgraph of unknown version, in ./bin on PATH");
});

it("The Python SDK in the virtual environment must have the version of the plugin", async () => {
  project("\n  name: python\n  options:\n    virtualenv: .venv", npmPlugin("0.1.0"));
  file("requirements.txt", "pulumi>=3\npulumi_agentgraph~=0.1.0\n");
  expect((await checks())[1]).toBe("package ok: pulumi_agentgraph 0.1.0, required by requirements.txt");
  const site = ".venv/lib/python3.12/site-packages";
  file(`${site}/pulumi-3.259.0.dist-info/METADATA`, "");
  expect((await checks())[1]).toMatch(/^package fix: pulumi_agentgraph is not installed in \.\/\.venv -> Install/);
  file(`${site}/pulumi_agentgraph-0.2.0.dist-info/METADATA`, "");
  expect((await checks())[1]).toBe(
    "package fix: pulumi_agentgraph 0.2.0, installed in ./.venv, but the plugin agentgraph has version 0.1.0 -> Use the same version of both. Install pulumi_agentgraph of version 0.1.0 in the virtual environment of the program.",
  );
});

it("The module that go.mod requires must have the version of the plugin", async () => {
  project("go", npmPlugin("0.1.0"));
  expect((await checks())[1]).toMatch(/^package fix: the Go SDK is not required by go\.mod/);
  file("go.mod", "module x\n\nrequire (\n\tgithub.com/acme/pulumi-agentgraph/sdk/go v0.1.0\n)\n");
  expect((await checks())[1]).toBe("package ok: the Go SDK 0.1.0, required by go.mod");
  file("go.mod", "module x\n\nreplace github.com/acme/pulumi-agentgraph/sdk/go v0.0.0 => ../sdk/go\n");
  expect((await checks())[1]).toBe("package note: the Go SDK, required by go.mod, has no version to compare");
});

it("The artifact that pom.xml requires must have the version of the plugin", async () => {
  project("java", npmPlugin("0.1.0"));
  expect((await checks())[1]).toMatch(/^package fix: the Java SDK is not required by pom\.xml/);
  const artifact = (version: string) => `<dependency>\n<artifactId>agentgraph</artifactId>\n${version}</dependency>`;
  file("pom.xml", artifact("<version>0.1.0</version>\n"));
  expect((await checks())[1]).toBe("package ok: the Java SDK 0.1.0, required by pom.xml");
  file("pom.xml", artifact(""));
  expect((await checks())[1]).toBe("package note: the Java SDK, required by pom.xml, has no version to compare");
});

it("A TypeScript program that imports the native form needs the plugin, of the version of its package", async () => {
  // The built command, since the check of the package compares the folders of both.
  const pluginChecks = async () => {
    const env = { PATH: join(folder, "bin"), PLUGINS_OF_TEST: join(folder, "plugins.json") };
    const { stdout } = await agentgraph({ args: ["doctor", "--json"], cwd: folder, env });
    const [installation] = readReport(stdout).groups;
    const found = installation?.checks.filter(({ id }) => id === "plugin") ?? [];
    return found.map(({ status, says, todo }) => `${status}: ${says}${todo ? ` -> ${todo}` : ""}`);
  };
  project("nodejs");
  file("index.ts", 'import * as agentgraph from "pulumi-agentgraph";');
  file("node_modules/other/index.js", 'require("pulumi-agentgraph/native");');
  expect(await pluginChecks()).toEqual([]);
  file("agents/index.ts", 'import * as agentgraph from "pulumi-agentgraph/native";');
  expect(await pluginChecks()).toEqual([
    expect.stringMatching(/^fix: the plugin agentgraph is not in the project file, on PATH, or installed -> Install/),
  ]);
  project("nodejs", npmPlugin(version, "checkout"));
  expect(await pluginChecks()).toEqual([`ok: plugin agentgraph ${version}, in ${folder}/checkout/build/plugin`]);
  project("nodejs", npmPlugin("0.0.9", "checkout"));
  expect(await pluginChecks()).toEqual([
    expect.stringMatching(
      `^fix: plugin agentgraph 0.0.9, in ${folder}/checkout/.*, but pulumi-agentgraph has version ${version} -> Use the same version of both`,
    ),
  ]);
});
