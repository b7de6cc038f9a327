/** Checks the installation: Node, this package as the engine resolves it, the Pulumi SDK and the Pulumi CLI. */
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { nodeProblem, packageProblem } from "../../sdk/usable";
import { projectField, projectFolder } from "../shared/project";
import { pulumi } from "../shared/pulumi";
import type { Surroundings } from "../shared/subcommand";
import { ownVersion, versionIn } from "../shared/version";
import type { Check, Group } from "./check";

/** First Pulumi CLI that imports files with inputs and outputs. */
const CLI_FOR_IMPORT = [3, 254] as const;
/** Oldest Pulumi SDK that package.json allows. */
const OLDEST_SDK = [3, 216] as const;

export async function checkProgram({ folder, env }: Surroundings): Promise<Group> {
  const project = projectFolder(folder);
  const program = project && programFolder(project);
  return {
    title: "Installation",
    checks: [node(), ...(program ? [resolution(program), sdk(program)] : [noProgram(folder)]), await cli(folder, env)],
  };
}

/** Returns the folder in which the engine runs the program: `main` of the project may name another folder or a file. */
function programFolder(project: string): string {
  const path = resolve(project, projectField(project, "main") ?? ".");
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}

function node(): Check {
  const says = `Node ${process.versions.node}`;
  const failed = nodeProblem(process.versions.node);
  return failed === undefined ? { id: "node", status: "ok", says } : { id: "node", status: "fix", says, todo: failed };
}

/** Applies the same check as a program that declares its first resource. */
function resolution(program: string): Check {
  const id = "package";
  const failed = packageProblem(program);
  if (failed === undefined)
    return { id, status: "ok", says: `pulumi-agentgraph ${ownVersion()}, resolved from ${program}` };
  const says = `pulumi-agentgraph ${ownVersion()} is not the copy that ${program} resolves to`;
  return { id, status: "fix", says, todo: failed };
}

function sdk(program: string): Check {
  const id = "sdk";
  const version = versionOf("@pulumi/pulumi", program);
  if (version === undefined) {
    const todo = "Add @pulumi/pulumi to the dependencies in the package.json of that folder and run npm install.";
    return { id, status: "fix", says: `@pulumi/pulumi cannot be resolved from ${program}`, todo };
  }
  if (isOlder(version, OLDEST_SDK)) {
    const todo = `Install @pulumi/pulumi ${OLDEST_SDK.join(".")} or newer in that folder.`;
    return { id, status: "fix", says: `@pulumi/pulumi ${version} is too old`, todo };
  }
  return { id, status: "ok", says: `@pulumi/pulumi ${version}` };
}

function versionOf(name: string, folder: string): string | undefined {
  try {
    return versionIn(createRequire(join(folder, "_")).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

const noProgram = (folder: string): Check => ({
  id: "package",
  status: "skipped",
  says: `pulumi-agentgraph ${ownVersion()}; no program was checked, because there is no Pulumi.yaml in ${folder} or its parent folders`,
});

async function cli(folder: string, env: NodeJS.ProcessEnv): Promise<Check> {
  const id = "cli";
  const { outcome, stdout } = await pulumi(["version"], folder, env);
  if (outcome !== "fine") {
    const todo = "Install the Pulumi CLI (https://www.pulumi.com/docs/install), or add its folder to PATH.";
    const says = outcome === "missing" ? "the Pulumi CLI is not on PATH" : "the Pulumi CLI does not report its version";
    return { id, status: "fix", says, todo };
  }
  const version = stdout.trim().replace(/^v/, "");
  if (isOlder(version, CLI_FOR_IMPORT)) {
    const todo = `Importing existing resources requires ${CLI_FOR_IMPORT.join(".")} or newer; everything else works.`;
    return { id, status: "note", says: `Pulumi CLI ${version}`, todo };
  }
  return { id, status: "ok", says: `Pulumi CLI ${version}` };
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [given = 0, second = 0] = version.split(".").map(Number);
  return given < major || (given === major && second < minor);
}
