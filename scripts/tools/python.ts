/** Provides Python with the packages that tests of the Python SDK need: cached, or installed with pip. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, inCache } from "../setup/cache.mjs";
import { PLATFORM, ROOT, toolchainOf, which } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";
import { atLeast } from "../setup/versions.mjs";

/** Oldest version that the pinned packages support. */
const MIN_VERSION = "3.10";

const REQUIREMENTS = join(ROOT, "toolchain", "python", "requirements.txt");

/**
 * Returns the `python` program of a virtual environment with toolchain/python/requirements.txt. Start other tools as
 * modules (`python -m build`): their programs contain the path where it was created.
 */
export async function ensurePython(env: NodeJS.ProcessEnv) {
  const { python, version } = await installed(env);
  const name = `python-${version}-${await digestOf(REQUIREMENTS)}-${PLATFORM}`;
  const home = await inCache(name, "Python packages", (draft) => install(draft, python, version, env));
  return join(home, "bin", "python");
}

/** Returns the folder with the packages of toolchain/optional/registry/requirements.txt, for PYTHONPATH. */
export async function ensureRegistryTools(env: NodeJS.ProcessEnv) {
  const requirements = join(toolchainOf("registry"), "requirements.txt");
  const name = `registry-python-${(await installed(env)).version}-${await digestOf(requirements)}-${PLATFORM}`;
  return ensurePackages(name, "Tools for pages of the Pulumi Registry", ["--requirement", requirements], env);
}

/** Returns the folder of the Pulumi SDK for Python that sdk/python requires at least, for PYTHONPATH. */
export async function ensureOldestPythonSdk(env: NodeJS.ProcessEnv) {
  const version = /"pulumi>=([^,]+)/.exec(await readFile(join(ROOT, "sdk/python/pyproject.toml"), "utf8"))?.[1] ?? "";
  return ensurePackages(`pulumi-sdk-python-${version}`, "Pulumi SDK for Python", [`pulumi==${version}`], env);
}

/** Returns the folder of a cache entry with packages. @param what Their names, or a file with them. */
async function ensurePackages(name: string, title: string, what: string[], env: NodeJS.ProcessEnv) {
  const python = await ensurePython(env);
  return inCache(name, title, (draft) =>
    step(title, "installing with pip (once)", () => {
      const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", draft, ...what];
      return run(python, args, { env, failed: `${title}: pip could not install them` });
    }),
  );
}

async function installed(env: NodeJS.ProcessEnv) {
  const python = which("python3", env);
  const { output } = python ? await attempt(python, ["--version"], { env }) : { output: "" };
  const version = /\d+\.\d+\.\d+/.exec(output)?.[0];
  if (python && version && atLeast(version, MIN_VERSION)) return { python, version };
  throw new Problem(
    `Tests of the Python SDK require Python ${MIN_VERSION} or newer, and ` +
      `${version ? `version ${version}` : "none"} is on PATH. Install Python (https://www.python.org/downloads) ` +
      "and run the same command again.",
  );
}

function install(draft: string, python: string, version: string, env: NodeJS.ProcessEnv) {
  return step("Python packages", `installing them with pip for Python ${version} (once)`, async () => {
    const failed = "Installing the Python packages for tests failed";
    await run(python, ["-m", "venv", draft], { env, failed });
    // Every dependency is pinned. Python compiles a module when a test first imports it.
    const args = ["install", "--quiet", "--no-deps", "--no-compile", "--requirement", REQUIREMENTS];
    await run(join(draft, "bin", "python"), ["-m", "pip", ...args], { env, failed });
  });
}
