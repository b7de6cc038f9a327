/** What programs in other languages need: their language host on PATH, and the SDK of this checkout. */
import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../packages/checkout";
import { Program } from "./program";

const run = promisify(execFile);

/** Returns the environment in which the CLI finds these tools. @param tools Paths of programs. */
export const pathWith = (...tools: string[]): { PATH: string } => ({
  PATH: [...tools.map(dirname), process.env.PATH ?? ""].join(delimiter),
});

/** Installs the Python SDK of this checkout with pip, as from a wheel. @returns The folder for PYTHONPATH. */
export async function installPythonSdk(python: string, folder: string): Promise<string> {
  const [source, target] = [join(folder, "source"), join(folder, "site")];
  await cp(join(ROOT, "sdk/python"), source, { recursive: true });
  const offline = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index"];
  await run(python, ["-m", "pip", "install", ...offline, "--target", target, source]);
  return target;
}

/** Copies an example of another language, and lets it use the native plugin of this checkout. */
export async function copyExample(example: string, folder: string): Promise<Program> {
  const program = await Program.copy(example, folder);
  await program.usePlugin();
  return program;
}

/** Lets a Python program use the packages on PYTHONPATH, not those in a separate venv. */
export async function useSharedPackages(program: Program): Promise<void> {
  const text = await readFile(join(program.folder, "Pulumi.yaml"), "utf8");
  await program.file("Pulumi.yaml", text.replace(/runtime:[\s\S]*?virtualenv: venv/, "runtime: python"));
}

/**
 * The newest host for YAML that can be built with Go is older than the CLI, and finds configuration only under its
 * former name.
 */
export async function useOldConfigSection(folder: string): Promise<void> {
  const file = join(folder, "Pulumi.yaml");
  await writeFile(file, (await readFile(file, "utf8")).replace(/^config:$/m, "configuration:"));
}
