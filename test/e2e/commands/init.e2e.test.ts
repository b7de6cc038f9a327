/**
 * From a key in the variable of the platform's own tools to a deployed agent: `agentgraph init` and `pulumi up`,
 * nothing else.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { readReport } from "../../cli/support/doctor-report";
import { blocksOf } from "../../docs/support/markdown";
import { Program } from "../support/programs/program";
import { API_KEY, World } from "../support/world";
import { agentgraph, type Ended } from "./command";

const world = new World();

let folder: string;
let environment: Record<string, string>;
/** The configuration of a new stack. */
let empty: string;
const run = (...args: string[]): Promise<Ended> => agentgraph({ args, cwd: folder, env: environment });
const pulumi = (...args: string[]) => promisify(execFile)("pulumi", args, { cwd: folder, env: environment });
/** The program of the tutorial, in JavaScript. */
const tutorial = () =>
  blocksOf("docs/getting-started.md")
    .filter(({ notes }) => notes.file === "index.ts")
    .map(({ text }) => text.replace(/^import .*\n/gm, "").replace(/^export const (\w+)/gm, "exports.$1"))
    .join("");

const configuration = () => readFile(join(folder, "Pulumi.dev.yaml"), "utf8");

beforeAll(async () => {
  const program = await Program.create(await world.createFolder("program"), "first-agent");
  ({ folder } = program);
  await program.write(tutorial());
  // Before the real CLI on PATH, a script that logs its arguments.
  const bin = await world.createFolder("bin");
  const { stdout: cli } = await promisify(execFile)("which", ["pulumi"]);
  const script = `#!/bin/sh\necho "$@" >> "${bin}/arguments"\nexec "${cli.trim()}" "$@"\n`;
  await writeFile(join(bin, "pulumi"), script, { mode: 0o755 });
  environment = {
    ...{ PATH: `${bin}:${process.env.PATH}`, HOME: bin, PULUMI_HOME: await world.createFolder("home") },
    ...{ PULUMI_BACKEND_URL: `file://${await world.createFolder("state")}`, PULUMI_CONFIG_PASSPHRASE: "init" },
    ...{ LANGSMITH_API_KEY: API_KEY, LANGSMITH_ENDPOINT: `${world.url}/api/v1` },
  };
});

test("without a stack, the error names the commands that select and create one", async () => {
  const { code, stderr } = await run("init");
  expect(code).toBe(2);
  expect(stderr).toContain("There is no stack to configure: no stack is selected. ");
  for (const command of ["pulumi stack select", "pulumi stack init dev"]) expect(stderr).toContain(command);
  const { stderr: elsewhere } = await agentgraph({ args: ["init"], cwd: "/", env: environment });
  expect(elsewhere).toContain("There is no Pulumi.yaml in / or its parent folders. Create a project with `pulumi new");
});

test("a key of the platform's own tools deploys an agent after init alone, and doctor fixes nothing", async () => {
  await pulumi("stack", "init", "dev");
  empty = await configuration();
  const { code, stdout, stderr } = await run("init");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect((await configuration()).match(/agentgraph:.*/g)).toEqual([`agentgraph:url: ${world.url}`]);
  await pulumi("up", "--yes", "--non-interactive");
  expect((await world.deployments()).map(({ status }) => status)).toEqual(["READY"]);
  const { toFix, groups } = readReport((await run("doctor", "--json")).stdout);
  expect(toFix).toBe(0);
  expect(groups.flatMap(({ checks }) => checks)).toContainEqual({
    ...{ id: "controlPlaneUrl", status: "ok" },
    message: `controlPlaneUrl: ${world.url}, from stack configuration agentgraph:url`,
  });
});

test("the API key is stored on request: encrypted, and in no list of arguments", async () => {
  const { code, stdout, stderr } = await run("init", "--store-key", "--json", "--stack", "dev");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout).written).toEqual([{ key: "agentgraph:apiKey", secret: true }]);
  expect(await configuration()).toMatch(/agentgraph:apiKey:\s+secure: /);
  const { stdout: stored } = await pulumi("config", "get", "agentgraph:apiKey");
  expect(stored.trim()).toBe(API_KEY);
  const called = await readFile(join(environment.HOME ?? "", "arguments"), "utf8");
  expect(called).toContain("config set --secret agentgraph:apiKey --non-interactive --stack dev");
  expect(called + stdout).not.toContain(API_KEY);
});

test("a configuration that cannot be encrypted is an error, and nothing is written", async () => {
  await writeFile(join(folder, "Pulumi.dev.yaml"), empty);
  const env = { ...environment, PULUMI_CONFIG_PASSPHRASE: "a-wrong-one" };
  const { code, stderr } = await agentgraph({ args: ["init", "--store-key"], cwd: folder, env });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: The stack configuration could not be written: .*passphrase/s);
  expect(await configuration()).toBe(empty);
});
