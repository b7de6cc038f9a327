/** Checks the installation: Node, what a program in its language needs, and the Pulumi CLI. */
import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { packageProblem } from "../../../sdk/nodejs/preflight";
import type { Check, Group } from "../../shared/check";
import { findProjectFolder, readProjectField, readRuntime } from "../../shared/pulumi/project";
import { runPulumi } from "../../shared/pulumi/pulumi";
import type { CommandContext } from "../../shared/subcommand";
import { packageVersion, readVersion } from "../../shared/version";
import { checkOwnFiles } from "./files";
import { importsNative } from "./native-imports";
import { checkDebugProviders } from "./other-plugins";
import { checkNative, checkPluginOfPackage } from "./plugin";

/** First Pulumi CLI that imports files with inputs and outputs. */
const MIN_CLI_FOR_IMPORT = [3, 254] as const;
/** Oldest Pulumi SDK that package.json allows. */
const MIN_SDK = [3, 216] as const;

export async function checkInstallation({ folder, env }: CommandContext): Promise<Group> {
  const project = findProjectFolder(folder);
  const program = project && findProgramFolder(project);
  const runtime = (project && readRuntime(project)) ?? DYNAMIC_RUNTIME;
  const isNative = runtime !== DYNAMIC_RUNTIME;
  const programChecks = async () => {
    if (!project || !program) return [skipPackage(folder)];
    if (isNative) return checkNative(runtime, project, program, env);
    const plugin = importsNative(program) ? await checkPluginOfPackage(project, env) : [];
    return [checkPackage(program), checkSdk(program), ...plugin];
  };
  const node: Check = { id: "node", status: "ok", message: `Node ${process.versions.node}` };
  return {
    title: "Installation",
    checks: [
      ...[node, await checkOwnFiles(), ...(await programChecks()), ...checkDebugProviders(env)],
      await checkCli(folder, env, isNative),
    ],
  };
}

/** Only programs for Node can declare dynamic resources; those in other languages use the native provider. */
const DYNAMIC_RUNTIME = "nodejs";

/** Returns the folder in which the engine runs the program: `main` of the project may name another folder or a file. */
function findProgramFolder(project: string): string {
  const path = resolve(project, readProjectField(project, "main") ?? ".");
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}

/** Applies the same check as a program that declares its first resource. */
function checkPackage(program: string): Check {
  const id = "package";
  const problem = packageProblem(program);
  const found = resolvePackage("pulumi-agentgraph", program);
  const message = found
    ? `pulumi-agentgraph ${found.version}, from ${found.folder}, which ${program} resolves to`
    : `pulumi-agentgraph is not installed for ${program}`;
  if (problem === undefined) return { id, status: "ok", message };
  const thisCopy = found ? `; this command is version ${packageVersion()}, from another folder` : "";
  return { id, status: "fix", message: message + thisCopy, remedy: problem };
}

function checkSdk(program: string): Check {
  const id = "sdk";
  const found = resolvePackage("@pulumi/pulumi", program);
  if (found === undefined) {
    const remedy = "Add @pulumi/pulumi to the dependencies in the package.json of that folder and run npm install.";
    return { id, status: "fix", message: `@pulumi/pulumi cannot be resolved from ${program}`, remedy };
  }
  const message = `@pulumi/pulumi ${found.version}, from ${found.folder}`;
  if (isOlder(found.version, MIN_SDK)) {
    const remedy = `Install @pulumi/pulumi ${MIN_SDK.join(".")} or newer in that folder.`;
    return { id, status: "fix", message: `${message}, is too old`, remedy };
  }
  return { id, status: "ok", message };
}

/** Returns the version and the folder of the package that Node loads for a program; undefined if it finds none. */
function resolvePackage(name: string, program: string): { version: string; folder: string } | undefined {
  try {
    const manifest = realpathSync(createRequire(join(program, "_")).resolve(`${name}/package.json`));
    return { version: readVersion(manifest) ?? "of unknown version", folder: dirname(manifest) };
  } catch {
    return undefined;
  }
}

const skipPackage = (folder: string): Check => ({
  id: "package",
  status: "skipped",
  message:
    `pulumi-agentgraph ${packageVersion()}; no program was checked, because there is no Pulumi.yaml in ` +
    `${folder} or its parent folders`,
});

async function checkCli(folder: string, env: NodeJS.ProcessEnv, isNative: boolean): Promise<Check> {
  const id = "cli";
  const { outcome, stdout } = await runPulumi(["version"], folder, env);
  if (outcome !== "ok") {
    const remedy = "Install the Pulumi CLI (https://www.pulumi.com/docs/install), or add its folder to PATH.";
    const message =
      outcome === "missing" ? "the Pulumi CLI is not on PATH" : "the Pulumi CLI does not report its version";
    return { id, status: "fix", message, remedy };
  }
  const version = stdout.trim().replace(/^v/, "");
  if (!isNative && isOlder(version, MIN_CLI_FOR_IMPORT)) {
    const minimum = MIN_CLI_FOR_IMPORT.join(".");
    const remedy = `Importing existing resources requires ${minimum} or newer; everything else works.`;
    return { id, status: "note", message: `Pulumi CLI ${version}`, remedy };
  }
  return { id, status: "ok", message: `Pulumi CLI ${version}` };
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [actualMajor = 0, actualMinor = 0] = version.split(".").map(Number);
  return actualMajor < major || (actualMajor === major && actualMinor < minor);
}
