/**
 * How users without this checkout get the plugin from a plain HTTP folder: with a command, or because an SDK names it.
 * release-install.release.test.ts installs it from a file.
 */
import { execFile } from "node:child_process";
import { cp, readdir, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { version } from "../../../package.json";
import { describeWithTools } from "../../support/tools";
import { steps } from "../support/cli/events";
import { ROOT } from "../support/packages/checkout";
import { pluginRelease } from "../support/packages/plugin";
import { Program } from "../support/programs/program";
import { World } from "../support/world";
import { type FileServer, serveFolder } from "./file-server";

const run = promisify(execFile);
const world = new World();
let server: FileServer;

beforeAll(async () => {
  server = await serveFolder(await pluginRelease());
});
afterAll(() => server.stop());

const JAVASCRIPT = `
const pulumi = require("@pulumi/pulumi");
const args = { source: "external_docker", sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" } };
new pulumi.CustomResource("agentgraph:index:Deployment", "agent", args);
`;

test("the archive in an HTTP folder installs, and runs a program of its version", async () => {
  const stack = await world.stack({ project: "installed" });
  await stack.program.file("index.js", JAVASCRIPT);
  const plugin = ["resource", "agentgraph", version];
  await stack.runOrThrow("plugin", "install", ...plugin, "--server", `${server.url}/standalone`);
  const up = await succeeds(stack.up());
  expect(steps(up)).toEqual(["create agent"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  await stack.runOrThrow("plugin", "rm", "--yes", ...plugin);
});

const PYTHON = `
import pulumi_agentgraph as agentgraph

agentgraph.Deployment(
    "agent", source="external_docker", source_revision_config={"image_uri": "registry.example.com/agent:1"}
)
`;

import { succeeds } from "../support/cli/cli";

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
    const up = await succeeds(stack.up());
    expect(steps(up)).toEqual(["create agent"]);
    expect(await stack.runOrThrow("plugin", "ls")).toMatch(new RegExp(`agentgraph +resource +${version}`));
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});
