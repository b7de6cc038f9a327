/** Finds the plugin of the native provider that the engine would start, in the order in which the engine looks. */
import { accessSync, constants, globSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { runCommand } from "../../shared/command";
import { readPluginPath } from "../../shared/pulumi/project";
import { runPulumi } from "../../shared/pulumi/pulumi";
import { packageVersion, readVersion } from "../../shared/version";

export interface FoundPlugin {
  /** Whether the engine can start it. */
  exists: boolean;
  /** Its folder, and why the engine looks there, for the message. */
  where: string;
  folder: string;
  version?: string | undefined;
  /** The installed versions, if the engine chooses among them by the version that a program or the state names. */
  installed?: readonly string[];
}

export const PROGRAM = "pulumi-resource-agentgraph";
const FILES = process.platform === "win32" ? [`${PROGRAM}.exe`, `${PROGRAM}.cmd`] : [PROGRAM];
/** A plugin starts in well under a second; one that does not end is another program. */
const TIMEOUT_MS = 10_000;

/** Returns the plugin in the project file, otherwise the one on PATH, otherwise an installed one. */
export async function findPlugin(project: string, env: NodeJS.ProcessEnv): Promise<FoundPlugin | undefined> {
  const declared = readPluginPath(project, "agentgraph");
  if (declared !== undefined) {
    const folder = resolve(project, declared);
    return describe(folder, `in ${folder}`, env);
  }
  const onPath = isTrue(env.PULUMI_IGNORE_AMBIENT_PLUGINS) ? [] : (env.PATH ?? "").split(delimiter);
  const folder = onPath.find((path) => path !== "" && programIn(path));
  if (folder !== undefined) return describe(folder, `in ${folder} on PATH`, env);
  const { outcome, stdout } = await runPulumi(["plugin", "ls", "--json"], project, env);
  const installed = outcome === "ok" ? installedVersions(stdout) : [];
  const version = installed.find((one) => one === packageVersion()) ?? installed[0];
  if (version === undefined) return undefined;
  const path = join(env.PULUMI_HOME ?? join(homedir(), ".pulumi"), "plugins", `resource-agentgraph-v${version}`);
  return { exists: true, where: `installed in ${path}`, folder: path, version, installed };
}

/** What the engine accepts as true. */
export const isTrue = (value: string | undefined) => /^(1|t|true)$/i.test(value ?? "");

async function describe(folder: string, where: string, env: NodeJS.ProcessEnv): Promise<FoundPlugin> {
  const program = programIn(folder);
  if (program === undefined) return { exists: false, where, folder };
  const home = dirname(realpathSync(program));
  return { exists: true, where, folder: home, version: versionOfBundle(home) ?? (await askVersion(program, env)) };
}

/** Asks the program itself. Older ones start a server instead, print its port, and end with their standard input. */
async function askVersion(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const options = { folder: dirname(program), env, timeoutMs: TIMEOUT_MS };
  const { stdout } = await runCommand(program, ["--version"], options).catch(() => ({ stdout: "" }));
  return /^(\d+\.\d+\.\d+\S*)\s*$/.exec(stdout)?.[1];
}

/** The bundle has the version of the npm package or the Python wheel that it is in, `../..` from its folder. */
function versionOfBundle(folder: string): string | undefined {
  const home = join(folder, "../..");
  return readVersion(join(home, "package.json")) ?? versionOfWheel(home);
}

/** @param environment A virtual environment, or another folder into which pip installs. */
function versionOfWheel(environment: string): string | undefined {
  const pattern = "{lib/python*,Lib}/site-packages/pulumi_agentgraph-*.dist-info";
  return globSync(pattern, { cwd: environment }).map((path) => /-([^-]+)\.dist-info$/.exec(path)?.[1])[0];
}

/** Returns the program in a folder that the engine could start. */
const programIn = (folder: string) => FILES.map((name) => join(folder, name)).find(isExecutable);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function installedVersions(json: string): string[] {
  try {
    const plugins = JSON.parse(json) as { name?: string; kind?: string; version?: string }[];
    return plugins.flatMap(({ name, kind, version }) =>
      name === "agentgraph" && kind === "resource" && version ? [version.replace(/^v/, "")] : [],
    );
  } catch {
    return [];
  }
}
