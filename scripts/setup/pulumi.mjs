/** Provides a Pulumi CLI with its Node language host: installed, cached, from the installer, or built with Go. */
import { chmod, copyFile, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cached, inCache } from "./cache.mjs";
import { executable, PLATFORM, PRIVATE, ROOT, which } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { buildWithGo } from "./pulumi-go.mjs";
import { installOfficially } from "./pulumi-installer.mjs";
import { attempt } from "./run.mjs";
import { step } from "./step.mjs";
import { atLeast } from "./versions.mjs";

/** Oldest version that imports dynamic resources from files (`agentgraph adopt`). */
const MIN_VERSION = "3.254";

/** Programs that the CLI starts for a Node program and for its dynamic resources. */
const HELPERS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** Returns the path of the `pulumi` program, for a checkout whose packages are installed. */
export async function ensurePulumi(env) {
  const { path, lack } = await findPulumi(env);
  return path ?? installPulumi(env, lack, Promise.resolve());
}

/** Returns the path of the `pulumi` program that is installed or cached, otherwise what the one on PATH lacks. */
export async function findPulumi(env) {
  const { path, lack } = await installed(env);
  if (path) return { path };
  const home = cached(await cacheName());
  return home ? { path: programIn(home) } : { lack };
}

/**
 * Installs the CLI into the cache. Returns the path of the `pulumi` program.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} lack what the one on PATH lacks
 * @param {Promise<unknown>} packages ends when the packages of the checkout are installed
 */
export async function installPulumi(env, lack, packages) {
  const version = await versionOfToolchain();
  const build = (draft) => provide(draft, { version, lack, env, packages });
  return programIn(await inCache(await cacheName(), "Pulumi CLI", build));
}

const cacheName = async () => `pulumi-${await versionOfToolchain()}-${PLATFORM}`;
const programIn = (home) => join(home, "bin", "pulumi");

/** Returns the path of `pulumi` on PATH if it is supported and complete, otherwise what it lacks. */
async function installed(env) {
  const path = which("pulumi", env);
  if (!path) return { lack: "not on PATH" };
  const { output } = await askVersion(path, env);
  if (!atLeast(output, MIN_VERSION))
    return { lack: `${output.trim().slice(0, 20)} on PATH is older than ${MIN_VERSION}` };
  const beside = dirname(await realpath(path));
  const missing = HELPERS.find((helper) => !executable(join(beside, helper)) && !which(helper, env));
  return missing ? { lack: `the one on PATH lacks ${missing}` } : { path };
}

/** Runs `pulumi version` with a separate home, since every command of the CLI writes there. */
const askVersion = (path, env) =>
  attempt(path, ["version"], { env: { ...env, PULUMI_HOME: join(PRIVATE, "pulumi-home") } });

/** Returns the version that toolchain/pulumi builds, which is also the one to install. */
async function versionOfToolchain() {
  return /pulumi\/pkg\/v3 v(\S+)/.exec(await readFile(join(ROOT, "toolchain", "pulumi", "go.mod"), "utf8"))[1];
}

async function provide(draft, { version, lack, env, packages }) {
  const bin = join(draft, "bin");
  await step("Pulumi CLI", `installing ${version} (${lack})`, async (now) => {
    const unreachable = await installOfficially(draft, version, env);
    const why = unreachable ? `${lack}; the installer ${unreachable}` : lack;
    if (unreachable) {
      now(`building ${version} with Go, about 4 minutes on two cores (${why})`);
      await buildWithGo(bin, version, env);
    }
    await packages;
    await addLauncher(bin);
    await verify(bin, env);
    now(`${version} ${unreachable ? "built with Go" : "installed"} (${why})`);
  });
}

/** Adds the launcher of dynamic resources, which is part of the SDK, next to the CLI. */
async function addLauncher(bin) {
  const launcher = "pulumi-resource-pulumi-nodejs";
  if (executable(join(bin, launcher))) return;
  await copyFile(join(ROOT, "node_modules", "@pulumi", "pulumi", launcher), join(bin, launcher));
  await chmod(join(bin, launcher), 0o755);
}

async function verify(bin, env) {
  const { code, output } = await askVersion(join(bin, "pulumi"), env);
  if (code === 0 && atLeast(output, MIN_VERSION) && HELPERS.every((helper) => executable(join(bin, helper)))) return;
  throw new Problem(
    "The installed Pulumi CLI does not run on this system. Install Pulumi " +
      "(https://www.pulumi.com/docs/install) and run the same command again.",
    output,
  );
}
