/** The built plugin as processes: what npm run plugin makes, without the engine. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import schema from "../../plugin/schema.json";
import { pluginExecutable, pluginFolder } from "../e2e/support/plugin";
import { describeWithTools } from "../support/tools";

const MAX_BUNDLE_BYTES = 3_000_000;
const LAUNCHER = "pulumi-resource-agentgraph";

// The first build of the executable takes long on a busy machine.
jest.setTimeout(300_000);

/** Starts a plugin, requests its schema, and ends its standard input. @returns The schema and the exit code. */
async function runPlugin(program: string, env: NodeJS.ProcessEnv): Promise<{ answered: unknown; code: number }> {
  const plugin: ChildProcess = spawn(program, ["127.0.0.1:1"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const started = once(plugin.stdout as NodeJS.ReadableStream, "data");
  const ended = once(plugin, "exit").then(([code]) =>
    Promise.reject(new Error(`${program} exited with code ${code}.`)),
  );
  const [port] = await Promise.race([started, ended]);
  const answered = JSON.parse(await requestSchema(`127.0.0.1:${String(port).trim()}`));
  const exited = once(plugin, "exit");
  plugin.stdin?.end();
  const [code] = await exited;
  return { answered, code };
}

async function requestSchema(address: string): Promise<string> {
  const client = new ResourceProviderClient(address, grpc.credentials.createInsecure());
  const text = await new Promise<string>((resolve, reject) => {
    client.getSchema(new GetSchemaRequest(), (error, response) =>
      error ? reject(error) : resolve(response.getSchema()),
    );
  });
  client.close();
  return text;
}

test("the bundle is small enough for the npm package and contains the licenses of its packages", async () => {
  const folder = await pluginFolder();
  const names = readdirSync(folder).filter((name) => name !== "cache");
  const launchers = ["pulumi-resource-", LAUNCHER, `${LAUNCHER}.cmd`];
  expect(names.sort()).toEqual(["LICENSES.txt", "main.js", ...launchers, "start.js"]);
  const sizes = names.map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MAX_BUNDLE_BYTES);
});

test("the same sources give the same bundle", async () => {
  const folder = await pluginFolder();
  const url = pathToFileURL(resolve(__dirname, "../../scripts/plugin/bundle.mjs")).href;
  const script = `const { compileBundle } = await import("${url}");
    const { createHash } = await import("node:crypto");
    for (const [name, text] of Object.entries(await compileBundle()))
      console.log(name, createHash("sha256").update(text).digest("hex"));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  const again = stdout.trim().split("\n");
  expect(again).toHaveLength(3);
  for (const line of again) {
    const [name = "", digest] = line.split(" ");
    const built = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    expect([name, built]).toEqual([name, digest]);
  }
});

test("the bundle returns the schema and exits when its standard input ends", async () => {
  const launcher = join(await pluginFolder(), LAUNCHER);
  expect(await runPlugin(launcher, process.env)).toEqual({ answered: schema, code: 0 });
});

test("a link to a link to the launcher starts the bundle", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentgraph-link-"));
  symlinkSync(join(await pluginFolder(), LAUNCHER), join(folder, "absolute"));
  symlinkSync("absolute", join(folder, LAUNCHER));
  expect(await runPlugin(join(folder, LAUNCHER), process.env)).toEqual({ answered: schema, code: 0 });
  const fromPath = { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) };
  expect(await runPlugin(LAUNCHER, fromPath)).toEqual({ answered: schema, code: 0 });
  rmSync(folder, { recursive: true });
});

// The Java host is the one that generates and links an SDK; it looks for a compiler, but does not start it.
describeWithTools("The folder of the bundle", ["pulumi-language-java", "maven"], (tools) => {
  const project = mkdtempSync(join(tmpdir(), "agentgraph-package-"));
  afterAll(() => rmSync(project, { recursive: true }));

  test("`pulumi package add` generates the SDK from the folder, and `pulumi install` repeats it in a fresh checkout", async () => {
    const PATH = [dirname(tools["pulumi-language-java"]), process.env.PATH].join(delimiter);
    const local = { PULUMI_HOME: join(project, "home"), PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
    const env = { ...process.env, PATH, ...local, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const pulumi = (...args: string[]) => execFileSync("pulumi", args, { cwd: project, env, stdio: "pipe" });
    const generated = join(project, "sdks/agentgraph/src/main/java/com/pulumi/agentgraph/Deployment.java");
    symlinkSync(await pluginFolder(), join(project, "plugin"));
    const settings = "name: package\nruntime:\n  name: java\n  options: { binary: app.jar }\n";
    writeFileSync(join(project, "Pulumi.yaml"), settings);

    pulumi("package", "add", "./plugin");
    expect(readFileSync(join(project, "Pulumi.yaml"), "utf8")).toMatch(/^packages:\n {2}agentgraph: \.?\/?plugin$/m);
    expect(existsSync(generated)).toBe(true);

    rmSync(join(project, "sdks"), { recursive: true });
    pulumi("install");
    expect(existsSync(generated)).toBe(true);
  });
});

test("the executable does the same with an empty PATH", async () => {
  expect(await runPlugin(await pluginExecutable(), { PATH: "" })).toEqual({ answered: schema, code: 0 });
});

test("the launcher says what to install if PATH has no Node", async () => {
  const launcher = join(await pluginFolder(), LAUNCHER);
  const { status, stderr } = spawnSync("/bin/sh", [launcher], { env: { PATH: "" }, encoding: "utf8" });
  expect(stderr).toMatch(/^The agentgraph plugin requires Node, and PATH contains none\. Install it from/);
  expect(status).toBe(1);
});

test("the bundle says what to install if its Node is too old", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentgraph-old-node-"));
  const old = join(folder, "old.js");
  writeFileSync(old, 'Object.defineProperty(process.versions, "node", { value: "22.18.0" });');
  symlinkSync(process.execPath, join(folder, "node"));
  const env = { PATH: folder, NODE_OPTIONS: `--require=${old}` };
  const launcher = join(await pluginFolder(), LAUNCHER);
  const { status, stderr } = spawnSync("/bin/sh", [launcher], { env, encoding: "utf8" });
  expect(stderr).toMatch(/^The agentgraph plugin requires Node 22\.19 or newer, and PATH contains 22\.18\.0\. Install/);
  expect(status).toBe(1);
  rmSync(folder, { recursive: true });
});
