/** Finds the packages that a Python program runs with, by asking its interpreter. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { runCommand } from "../../shared/command";
import { readRuntimeOption } from "../../shared/pulumi/project";

export interface PythonPackage {
  version: string;
  /** The folder that contains it, such as that of site-packages. */
  folder: string;
}

export interface PythonPackages {
  interpreter: string;
  /** By name; undefined if the interpreter does not run. */
  packages?: Partial<Record<string, PythonPackage>>;
}

const SCRIPT = `
import importlib.metadata, json, sys
found = {}
for name in sys.argv[1:]:
    try:
        package = importlib.metadata.distribution(name)
        found[name] = {"version": package.version, "folder": str(package.locate_file(""))}
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
`;

/** @param project Folder of the project file. */
export async function findPythonPackages(
  names: readonly string[],
  project: string,
  env: NodeJS.ProcessEnv,
): Promise<PythonPackages> {
  const interpreter = await findInterpreter(project, env);
  const { outcome, stdout } = await runCommand(interpreter, ["-c", SCRIPT, ...names], { folder: project, env });
  // The start of an interpreter may print other lines first.
  return outcome === "ok"
    ? { interpreter, packages: JSON.parse(stdout.trim().split("\n").at(-1) ?? "") }
    : { interpreter };
}

/**
 * Returns the interpreter with which the Pulumi CLI runs the program: that of its virtual environment, or the one on
 * PATH.
 */
async function findInterpreter(project: string, env: NodeJS.ProcessEnv): Promise<string> {
  const toolchain = readRuntimeOption(project, "toolchain");
  if (toolchain === "poetry") {
    const { stdout } = await runCommand("poetry", ["env", "info", "--executable"], { folder: project, env });
    if (stdout.trim()) return stdout.trim();
  }
  const uvEnvironment = toolchain === "uv" ? env.UV_PROJECT_ENVIRONMENT || ".venv" : undefined;
  const virtualenv = readRuntimeOption(project, "virtualenv") ?? uvEnvironment;
  if (virtualenv === undefined) return env.PULUMI_PYTHON_CMD || (process.platform === "win32" ? "python" : "python3");
  const folder = resolve(project, virtualenv);
  const windows = join(folder, "Scripts", "python.exe");
  return existsSync(windows) ? windows : join(folder, "bin", "python");
}
