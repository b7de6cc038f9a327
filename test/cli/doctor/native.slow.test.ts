/**
 * `agentgraph doctor` for programs of the native provider: it checks the plugin and the SDK, and demands no npm
 * package.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { checkInstallation } from "../../../cli/doctor/program/program";
import { newFolder } from "../../../emulator/test/support/folder";
import { version } from "../../../package.json";
import { agentgraph } from "../support/command";
import { readReport } from "../support/doctor-report";

let folder: string;
beforeEach(() => {
  folder = newFolder();
  file("bin/pulumi", '#!/bin/sh\n[ "$1" = version ] && echo v3.200.0 || cat "$PLUGINS_OF_TEST"\n');
  plugins([]);
});

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
  return (
    "plugins:\n  providers:\n    - { name: other, path: x }\n    - name: agentgraph\n      path: " +
    `${folder}/build/plugin\n`
  );
}

const environment = (path = join(folder, "bin")) => ({
  ...{ PATH: [path, "/usr/bin", "/bin"].join(delimiter), PLUGINS_OF_TEST: join(folder, "plugins.json") },
  PULUMI_HOME: join(folder, "home"),
});

/** Returns each check as `id status: message`, with its remedy. */
async function checks(path = join(folder, "bin"), more: Record<string, string> = {}): Promise<string[]> {
  const { checks: all } = await checkInstallation({ folder, env: { ...environment(path), ...more } } as never);
  return all
    .filter(({ id }) => id !== "node" && id !== "files")
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

it("A package of `pulumi package add` from a folder is the plugin in it, and one with a version is not", async () => {
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
  const place = `./home/plugins/resource-agentgraph-v${version}`;
  const installed = `plugin ok: plugin agentgraph ${version}, installed in ${place}`;
  expect((await checks())[0]).toBe(installed);
  file("bin/pulumi-resource-agentgraph", "");
  expect((await checks())[0]).toBe("plugin ok: plugin agentgraph of unknown version, in ./bin on PATH");
  file("bin/pulumi-resource-agentgraph", '#!/bin/sh\n[ "$1" = --version ] && echo 0.0.8\n');
  expect((await checks())[0]).toBe("plugin ok: plugin agentgraph 0.0.8, in ./bin on PATH");
  expect((await checks(undefined, { PULUMI_IGNORE_AMBIENT_PLUGINS: "true" }))[0]).toBe(installed);
});

it("A program on PATH that cannot be executed is not a plugin", async () => {
  project("yaml");
  file("bin/pulumi-resource-agentgraph", "");
  chmodSync(join(folder, "bin/pulumi-resource-agentgraph"), 0o644);
  expect((await checks())[0]).toMatch(/^plugin fix: the plugin agentgraph is not in the project file, on PATH/);
});

it("A provider that Pulumi connects to, in place of one that it starts, is named with its variable", async () => {
  project("yaml", npmPlugin("0.1.0"));
  const [, used] = await checks(undefined, { PULUMI_DEBUG_PROVIDERS: "aws:1,agentgraph:4711" });
  expect(used).toBe(
    "plugin note: Pulumi starts no provider agentgraph, but uses the one that listens on port 4711: " +
      "PULUMI_DEBUG_PROVIDERS says so -> Remove the variable PULUMI_DEBUG_PROVIDERS, unless you debug that provider.",
  );
});

describe("A Python program", () => {
  const site = ".venv/lib/site-packages";
  /** Adds an interpreter whose packages are those of a folder. */
  const interpreter = (path: string) =>
    file(
      path,
      `#!/bin/sh\nPYTHONPATH="${join(folder, site)}" exec /usr/bin/env -S ` +
        `PATH=/usr/bin:/bin:${process.env.PATH} python3 -S "$@"\n`,
    );
  const install = (name: string, version: string) =>
    file(
      `${site}/${name}-${version}.dist-info/METADATA`,
      `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    );
  const declare = (options: string) => project(`\n  name: python\n  options: { ${options} }`, npmPlugin("0.1.0"));

  it.each(["lib/python3.12", "Lib"])(
    "uses the plugin of the wheel whose packages are in %s, with its version",
    async (lib) => {
      file(`.venv/${lib}/site-packages/pulumi_agentgraph-0.1.0.dist-info/METADATA`, "");
      file(".venv/share/pulumi-agentgraph/pulumi-resource-agentgraph", "");
      project("python", "plugins: { providers: [{ name: agentgraph, path: .venv/share/pulumi-agentgraph }] }\n");
      expect((await checks())[0]).toBe("plugin ok: plugin agentgraph 0.1.0, in ./.venv/share/pulumi-agentgraph");
    },
  );

  it("runs with the interpreter of its environment, whose SDK must have the version of the plugin", async () => {
    declare("virtualenv: .venv");
    expect((await checks())[1]).toMatch(
      /^package fix: the interpreter of the program does not run: \.\/\.venv\/bin\/python -> Run `pulumi install`/,
    );
    interpreter(".venv/bin/python");
    expect((await checks()).slice(1, 3)).toEqual([
      "package fix: pulumi_agentgraph is not installed for ./.venv/bin/python -> Install it there: see " +
        "docs/languages.md.",
      "sdk fix: pulumi is not installed for ./.venv/bin/python -> Run `pulumi install` in the folder of Pulumi.yaml.",
    ]);
    install("pulumi", "3.259.0");
    install("pulumi_agentgraph", "0.2.0");
    expect((await checks()).slice(1, 3)).toEqual([
      `package fix: pulumi_agentgraph 0.2.0, from ./${site}, but the plugin agentgraph has version 0.1.0 -> ` +
        "Install version 0.1.0 of the SDK, or version 0.2.0 of the plugin agentgraph: both must be the same.",
      `sdk ok: pulumi 3.259.0, from ./${site}`,
    ]);
  });

  it.each([
    ["of uv in .venv", "toolchain: uv", ".venv/bin/python"],
    ["that Poetry names", "toolchain: poetry", "poetry-environment/bin/python"],
    ["on PATH without a virtual environment", "", "bin/python3"],
  ])("is found with the interpreter %s", async (_which, options, path) => {
    declare(options);
    file(
      "bin/poetry",
      `#!/bin/sh\n[ "$*" = "env info --executable" ] && echo "${folder}/poetry-environment/bin/python"\n`,
    );
    interpreter(path);
    install("pulumi_agentgraph", "0.1.0");
    expect((await checks())[1]).toBe(`package ok: pulumi_agentgraph 0.1.0, from ./${site}`);
  });
});

it("The module that Go builds with must have the version of the plugin", async () => {
  project("go", npmPlugin("0.1.0"));
  const go = (...lines: string[]) => file("bin/go", `#!/bin/sh\nprintf '${lines.join("\\n")}\\n'\n`);
  const path = "github.com/acme/pulumi-agentgraph/sdk/go";
  go("example.com/x\\t\\t/x");
  expect((await checks())[1]).toMatch(/^package fix: go\.mod in \. does not require the Go SDK -> Add/);
  go("example.com/x\\t\\t/x", `${path}\\tv0.1.0\\t/modules/sdk`);
  expect((await checks())[1]).toBe("package ok: the Go SDK 0.1.0, from /modules/sdk");
  go(`${path}\\tv0.2.0\\t`);
  expect((await checks())[1]).toMatch(
    `package fix: the Go SDK 0.2.0, from ${path}, but the plugin agentgraph has version 0.1.0 ->`,
  );
  go(`${path}\\t\\t/checkout/sdk/go`);
  expect((await checks())[1]).toBe("package note: the Go SDK of unknown version, from /checkout/sdk/go");
  file("bin/go", "#!/bin/sh\nexit 1\n");
  expect((await checks())[1]).toBe(
    "package note: the version of the Go SDK is not known: `go list -m all` failed -> To see the reason, run " +
      "`go list -m all` in .",
  );
});

it("The artifact that pom.xml requires must have the version of the plugin", async () => {
  project("java", npmPlugin("0.1.0"));
  expect((await checks())[1]).toMatch(/^package fix: the Java SDK is not required by \.\/pom\.xml/);
  const artifact = (version: string) => `<dependency>\n<artifactId>agentgraph</artifactId>\n${version}</dependency>`;
  file("pom.xml", artifact("<version>0.1.0</version>\n"));
  expect((await checks())[1]).toBe("package ok: the Java SDK 0.1.0, required by ./pom.xml");
  file("pom.xml", artifact(""));
  expect((await checks())[1]).toBe("package note: the Java SDK of unknown version, required by ./pom.xml");
});

it("A TypeScript program that imports the native form needs the plugin, of the version of its package", async () => {
  // The built command, since the check of the package compares the folders of both.
  const pluginChecks = async () => {
    const env = { PATH: join(folder, "bin"), PLUGINS_OF_TEST: join(folder, "plugins.json") };
    const { stdout } = await agentgraph({ args: ["doctor", "--json"], cwd: folder, env });
    const [installation] = readReport(stdout).groups;
    const found = installation?.checks.filter(({ id }) => id === "plugin") ?? [];
    return found.map(({ status, message, remedy }) => `${status}: ${message}${remedy ? ` -> ${remedy}` : ""}`);
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
      `^fix: plugin agentgraph 0.0.9, in ${folder}/checkout/.*, but pulumi-agentgraph has version ${version} ` +
        "-> Use the same version of both",
    ),
  ]);
});
