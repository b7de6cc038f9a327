/**
 * How users without this checkout get the plugin: from an archive, or a plain HTTP folder, with a command or because an
 * SDK names it.
 */
import { execFile } from "node:child_process";
import { cp, readdir, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { version } from "../../package.json";
import { describeWithTools } from "../support/tools";
import { ROOT } from "./support/checkout";
import { steps } from "./support/events";
import { type FileServer, serveFolder } from "./support/file-server";
import { pluginRelease } from "./support/plugin";
import { Program } from "./support/program";
import { World } from "./support/world";

const run = promisify(execFile);
const world = new World();
let release: string;
let server: FileServer;

beforeAll(async () => {
  release = await pluginRelease();
  server = await serveFolder(release);
});
afterAll(() => server.stop());

const JAVASCRIPT = `
const pulumi = require("@pulumi/pulumi");
const args = { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" } };
new pulumi.CustomResource("agentgraph:index:Deployment", "agent", args);
`;

const system = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

/** As docs/plugin.md installs the plugin first. */
const fromFile = () => ["--file", join(release, "node", `pulumi-resource-agentgraph-v${version}-${system}.tar.gz`)];
const fromServer = () => ["--server", `${server.url}/standalone`];

test.each([
  ["node", "a file", fromFile],
  ["standalone", "an HTTP folder", fromServer],
])("the archive in %s installs from %s and runs a program of its version", async (folder, _from, source) => {
  const stack = await world.stack({ project: `installed-${folder}` });
  await stack.program.file("index.js", JAVASCRIPT);
  const plugin = ["resource", "agentgraph", version];
  await stack.runOrThrow("plugin", "install", ...plugin, ...source());
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0 });
  expect(steps(up)).toEqual(["create agent"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });

  await stack.program.file("index.js", JAVASCRIPT.replace("args)", 'args, { version: "0.9.9" })'));
  const other = await stack.preview();
  expect(other.code).not.toBe(0);
  expect(other.output).toContain(
    "no resource plugin 'pulumi-resource-agentgraph' found in the workspace at version v0.9.9",
  );
  await stack.program.usePlugin();
  expect((await stack.preview()).output).toContain(
    `warning: resource plugin agentgraph is expected to have version >=0.9.9, but has ${version}`,
  );
  await stack.runOrThrow("plugin", "rm", "--yes", ...plugin);
});

const PYTHON = `
import pulumi_agentgraph as agentgraph

agentgraph.Deployment(
    "agent", source="external_docker", source_revision_config={"image_uri": "registry.example.com/agent:1"}
)
`;

describeWithTools("a Python program", ["sdk-generator", "python", "pulumi-language-python"], (tools) => {
  /** Generates the Python SDK as for a release on the HTTP folder. @returns Its wheel. */
  async function buildWheel(): Promise<string> {
    const folder = await world.createFolder("sdks");
    const generate = [join(ROOT, "scripts/run.mjs"), "generate"];
    const env = { ...process.env, PLUGIN_DOWNLOAD_URL: `${server.url}/standalone` };
    const { stdout } = await run(process.execPath, [...generate, "--print", "plugin/schema.json"], {
      env,
      maxBuffer: 2 ** 24,
    });
    const schema = join(folder, "schema.json");
    await writeFile(schema, stdout);
    await run(process.execPath, [...generate, "python", "--out", folder, "--schema", schema]);
    await cp(join(ROOT, "sdk/python/README.md"), join(folder, "python/README.md"));
    await run(tools.python, ["-m", "build", "--wheel", "--no-isolation", "--outdir", folder, join(folder, "python")]);
    const wheel = (await readdir(folder)).find((name) => name.endsWith(".whl")) ?? "";
    return join(folder, wheel);
  }

  /**
   * Creates a virtual environment with the packages of the test's Python, which saves their download.
   * @returns Its programs.
   */
  async function createEnvironment(folder: string): Promise<string> {
    await run(tools.python, ["-m", "venv", "--without-pip", folder]);
    const { stdout } = await run(tools.python, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]);
    const packages = stdout.trim();
    const own = packages.replace(dirname(dirname(tools.python)), folder);
    await writeFile(join(own, "shared.pth"), packages);
    return join(folder, "bin");
  }

  test("downloads the plugin that the installed wheel names, with no setting but PATH", async () => {
    const folder = await world.createFolder("program-python");
    const program = await Program.create(folder, "python", { link: false });
    await rm(join(folder, "package.json"));
    await program.file("Pulumi.yaml", "name: python\nruntime: python\n");
    await program.file("__main__.py", PYTHON);
    const bin = await createEnvironment(join(folder, "venv"));
    await run(join(bin, "python"), ["-m", "pip", "install", "--no-deps", "--no-index", await buildWheel()]);

    const PATH = [bin, dirname(tools["pulumi-language-python"]), process.env.PATH].join(delimiter);
    const env = { PATH, PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" };
    const stack = await world.stack({ project: "python", program, env });
    const up = await stack.up();
    expect(up).toMatchObject({ code: 0 });
    expect(steps(up)).toEqual(["create agent"]);
    expect(await stack.runOrThrow("plugin", "ls")).toMatch(new RegExp(`agentgraph +resource +${version}`));
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});
