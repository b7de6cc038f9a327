/** INSTALL.md of a release, followed literally: its commands in an empty folder, then the example of the schema. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { version } from "../../../package.json";
import { blocksOf, schemaBlocks } from "../../docs/support/markdown";
import { describeWithTools } from "../../support/tools";
import { succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { steps } from "../support/cli/events";
import { ROOT } from "../support/packages/checkout";
import { npmSettings } from "../support/packages/npm-settings";
import { release } from "../support/packages/plugin";
import { pathWith } from "../support/programs/languages";
import { Program } from "../support/programs/program";
import { World } from "../support/world";
import { platformOf, readMacSignature } from "./executable-format";

// The first build has the executables of six platforms, and languages download their packages.
const TIMEOUT_MS = 1_500_000;
jest.setTimeout(TIMEOUT_MS);

const run = promisify(execFile);
const world = new World();
let folder: string;
let instructions: string;
let npm: Record<string, string>;

beforeAll(async () => {
  folder = await release(join(await world.createFolder("release"), "files"));
  instructions = await readFile(join(folder, "INSTALL.md"), "utf8");
  npm = { ...(await npmSettings()), npm_config_prefer_offline: "true" };
}, TIMEOUT_MS);

/** Returns the commands of INSTALL.md that contain a text, in blocks and tables, as this platform runs them. */
function commandsWith(text: string): string[] {
  const blocks = blocksOf("INSTALL.md", instructions).map((block) => block.text.trim());
  const cells = [...instructions.matchAll(/^\|.*?\| `([^`]+)`/gm)].map(([, command = ""]) => command);
  const system = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const found = [...blocks, ...cells].filter((command) => command.includes(text));
  return found.map((command) => command.replaceAll("<release>", folder).replace("linux-amd64", system));
}

/** Creates an empty project with a stack. */
async function emptyProject(name: string, settings: string, env: Record<string, string> = {}) {
  const program = await Program.create(await world.createFolder(name), name, { link: false });
  await program.file("Pulumi.yaml", settings);
  const stack = await world.stack({ project: name, program, env: { NODE_OPTIONS: "", ...npm, ...env } });
  await stack.runOrThrow("config", "set", "--secret", "modelApiKey", "a-model-key");
  return stack;
}

/** Runs the commands with these texts. @returns The output of the last one. */
async function follow(stack: CliStack, ...texts: string[]): Promise<string> {
  const env = { ...process.env, ...stack.environment() };
  let printed = "";
  for (const text of texts) {
    const [command = "", ...others] = commandsWith(text);
    expect([text, others]).toEqual([text, []]);
    const options = { cwd: stack.program.folder, env, maxBuffer: 1e8 };
    printed = (await run("bash", ["-euc", command], options)).stdout;
  }
  return printed;
}

const example = (language: string) =>
  schemaBlocks().find((block) => block.file.endsWith(":Deployment") && block.language === language)?.text ?? "";

async function expectDeployed(stack: CliStack) {
  const created = await succeeds(stack.up());
  expect(steps(created)).toEqual(["create support-agent"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
}

const PLUGIN = "plugin install";
const project = (name: string, runtime: string) => `name: ${name}\nruntime: ${runtime}\n`;

test("INSTALL.md names files of the release only, and SHA256SUMS has the digest of each other file", async () => {
  const names = await readdir(folder);
  const named = [...instructions.matchAll(/<release>\/([\w.-]+)/g)].map(([, name]) => name);
  expect(new Set(named).size).toBe(6);
  expect(named.filter((name) => !names.includes(name ?? ""))).toEqual([]);
  const sums = (await readFile(join(folder, "SHA256SUMS"), "utf8")).trim().split("\n");
  expect(sums.map((line) => line.split("  ")[1])).toEqual(names.filter((name) => name !== "SHA256SUMS").sort());
  for (const line of sums) {
    const [sum, name = ""] = line.split("  ");
    const digest = createHash("sha256").update(await readFile(join(folder, name)));
    expect([name, digest.digest("hex")]).toEqual([name, sum]);
  }
});

test("each executable is one for its platform, and those for macOS are signed", async () => {
  const archives = (await readdir(folder)).filter((name) => /-(amd64|arm64)\.tar\.gz$/.test(name));
  expect(archives).toHaveLength(12);
  for (const archive of archives) {
    const [, name = "", platform = ""] = /^(.*)-v[^-]+-(.*)\.tar\.gz$/.exec(archive) ?? [];
    const cwd = await world.createFolder("unpacked");
    await run("tar", ["-xzf", join(folder, archive)], { cwd });
    const file = join(cwd, platform.startsWith("windows") ? `${name}.exe` : name);
    const program = await readFile(file);
    expect([archive, platformOf(program)]).toEqual([archive, platform]);
    // Node flips it when an application is injected.
    expect([archive, program.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")]).toEqual([archive, true]);
    if (platform.startsWith("darwin")) {
      const isComplete = { isAdHoc: true, coversFile: true, isAligned: true };
      expect(readMacSignature(program)).toMatchObject({ identifier: name, ...isComplete, wrongPages: [] });
      program.writeUInt8(program.readUInt8(5000) ^ 1, 5000);
      expect(readMacSignature(program).wrongPages).toEqual([1]);
    }
    await rm(file);
  }
});

test("each package of the release contains the skill for coding agents", async () => {
  const names = await readdir(folder);
  const packages = names.filter((name) => /^pulumi.*(tgz|tar\.gz|whl)$/.test(name) && !name.includes("-emulator-"));
  expect(packages).toHaveLength(10);
  for (const name of packages) {
    const list = name.endsWith(".whl") ? ["python3", "-m", "zipfile", "-l"] : ["tar", "-tzf"];
    const { stdout } = await run(list[0] ?? "", [...list.slice(1), join(folder, name)]);
    expect([name, stdout]).toEqual([name, expect.stringMatching(/(^|skills\/pulumi-agentgraph\/)SKILL\.md/m)]);
  }
});

test("the executable of the emulator runs without Node, and comes with the licenses of what it contains", async () => {
  const cwd = await world.createFolder("emulator");
  const [command = ""] = commandsWith("tar -xzf");
  await run("bash", ["-euc", command], { cwd });
  expect((await readdir(cwd)).sort()).toEqual(["LICENSE", "LICENSES.txt", "agentgraph-emulator"]);
  const env = { HOME: cwd, PATH: "/usr/bin:/bin" };
  expect((await run("./agentgraph-emulator", ["--version"], { cwd, env })).stdout.trim()).toBe(version);
});

test("a TypeScript program is deployed without a plugin", async () => {
  const stack = await emptyProject("typescript", project("typescript", "nodejs"));
  await stack.program.file("package.json", '{ "private": true, "main": "index.ts" }');
  await follow(stack, `pulumi-agentgraph-${version}.tgz`);
  await stack.program.file("index.ts", example("typescript"));
  await expectDeployed(stack);
});

test("a TypeScript program with the native provider is deployed", async () => {
  const stack = await emptyProject("native", project("native", "nodejs"));
  await stack.program.file("package.json", '{ "private": true, "main": "index.ts" }');
  await follow(stack, PLUGIN, `pulumi-agentgraph-native-${version}.tgz`);
  const text = example("typescript").replace('"pulumi-agentgraph"', '"pulumi-agentgraph-native"');
  await stack.program.file("index.ts", text);
  await expectDeployed(stack);
});

describeWithTools("a YAML program", ["pulumi-language-yaml"], (tools) => {
  test("is deployed with the plugin alone", async () => {
    const env = pathWith(tools["pulumi-language-yaml"]);
    // The older name of `config`, for hosts of 1.12 and older.
    const text = project("yaml", "yaml") + example("yaml").replace("config:", "configuration:");
    const stack = await emptyProject("yaml", text, env);
    await follow(stack, PLUGIN);
    await expectDeployed(stack);
  });
});

test("a release for one language has what its programs need, for one platform", async () => {
  const target = join(folder, "../typescript");
  const options = ["--local", "--for", "typescript", "--platform", "linux-amd64", "--out", target];
  await run(process.execPath, ["scripts/run.mjs", "release", ...options], { cwd: ROOT, maxBuffer: 1e8 });
  expect((await readdir(target)).sort()).toEqual([
    ...["INSTALL.md", "SHA256SUMS", `agentgraph-emulator-v${version}-linux-amd64.tar.gz`],
    ...[`pulumi-agentgraph-${version}.tgz`, `pulumi-agentgraph-emulator-${version}.tgz`],
  ]);
  const text = await readFile(join(target, "INSTALL.md"), "utf8");
  expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(["TypeScript", "The emulator"]);
  for (const [, name = ""] of text.matchAll(/<release>\/(\S+)/g)) expect(await readdir(target)).toContain(name);
});

describeWithTools("a Python program", ["python", "pulumi-language-python"], (tools) => {
  test("is deployed with the wheel in its virtual environment, which contains the plugin", async () => {
    const { PATH } = pathWith(tools["pulumi-language-python"]);
    const stack = await emptyProject("python", project("python", "python"), { PATH });
    const bin = join(stack.program.folder, "venv/bin");
    await run(tools.python, ["-m", "venv", dirname(bin)]);
    // As `activate` does.
    Object.assign(stack.env, { PATH: [bin, PATH].join(delimiter) });
    await follow(stack, ".whl");
    await stack.program.file("__main__.py", example("python"));
    // What other tests installed.
    await stack.runOrThrow("plugin", "rm", "--all", "--yes");
    const settings = blocksOf("INSTALL.md", instructions).find(({ language }) => language === "yaml");
    await appendFile(join(stack.program.folder, "Pulumi.yaml"), settings?.text ?? "");
    await expectDeployed(stack);

    await stack.program.file("Pulumi.yaml", project("python", "python"));
    const archive = ["--file", "venv/share/pulumi-agentgraph"];
    await stack.runOrThrow("plugin", "install", "resource", "agentgraph", version, ...archive);
    await expectDeployed(stack);
  });
});

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>app</groupId>
  <artifactId>app</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <exec.mainClass>App</exec.mainClass>
  </properties>
  <dependencies>
    <dependency>
      <groupId>com.pulumi</groupId>
      <artifactId>pulumi</artifactId>
      <version>1.20.0</version>
    </dependency>
    DEPENDENCIES
  </dependencies>
</project>`;

describeWithTools("a Java program", ["maven", "pulumi-language-java"], (tools) => {
  test("is deployed with the SDK that `pulumi package add` generates", async () => {
    const env = pathWith(tools["pulumi-language-java"]);
    const stack = await emptyProject("java", project("java", "java"), env);
    await stack.program.file("pom.xml", POM.replace("DEPENDENCIES", ""));
    await mkdir(join(stack.program.folder, "src/main/java"), { recursive: true });
    const printed = await follow(stack, PLUGIN, "package add");
    // What the command says to do next.
    const [, copy = ""] = /^ +(cp -r sdks.*)$/m.exec(printed) ?? [];
    const [, dependencies = ""] = /<dependencies>([\s\S]*?)<\/dependencies>/.exec(printed) ?? [];
    await run("bash", ["-euc", copy], { cwd: stack.program.folder });
    await stack.program.file("pom.xml", POM.replace("DEPENDENCIES", dependencies));
    await stack.program.file("src/main/java/App.java", example("java"));
    await expectDeployed(stack);
  });
});
