/** A Pulumi CLI with its Node language host: the installed one, else the cache, else the installer, else built by Go. */
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

/** The least version whose file import of dynamic resources works (`agentgraph adopt`). */
const LEAST = "3.254";

/** What the CLI starts for a program in Node, and for its dynamic resources. */
const HELPERS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** The path of the `pulumi` program. */
export async function ensurePulumi(env) {
  const { path, lack } = await installed(env);
  if (path) return path;
  const version = await versionOfToolchain();
  const name = `pulumi-${version}-${PLATFORM}`;
  const home = cached(name) ?? (await inCache(name, "Pulumi CLI", (draft) => bring(draft, version, lack, env)));
  return join(home, "bin", "pulumi");
}

/** The `pulumi` on PATH when it is new enough and complete; else what it lacks. */
async function installed(env) {
  const path = which("pulumi", env);
  if (!path) return { lack: "none is on PATH" };
  const { output } = await askVersion(path, env);
  if (!atLeast(output, LEAST))
    return { lack: `the one on PATH is ${output.trim().slice(0, 20)} and ${LEAST} is the least` };
  const beside = dirname(await realpath(path));
  const missing = HELPERS.find((helper) => !executable(join(beside, helper)) && !which(helper, env));
  return missing ? { lack: `the one on PATH comes without ${missing}` } : { path };
}

/** The CLI writes into its home whatever it is asked: not into the user's. */
const askVersion = (path, env) =>
  attempt(path, ["version"], { env: { ...env, PULUMI_HOME: join(PRIVATE, "pulumi-home") } });

/** The version that toolchain/pulumi builds is also the one to install: what is tested is what is brought. */
async function versionOfToolchain() {
  const text = await readFile(join(ROOT, "toolchain", "pulumi", "go.mod"), "utf8");
  return /pulumi\/pkg\/v3 v(\S+)/.exec(text)[1];
}

async function bring(draft, version, lack, env) {
  const bin = join(draft, "bin");
  await step("Pulumi CLI", `version ${version}, since ${lack}`, async (now) => {
    now(`version ${version} by its installer, since ${lack}`);
    const unreachable = await installOfficially(draft, version, env);
    const why = unreachable ? `${lack} and the installer ${unreachable}` : lack;
    if (unreachable) await buildWithGo(bin, version, env, (part) => now(`${part}, since ${why}`));
    await addLauncher(bin);
    await prove(bin, env);
    now(`version ${version} ${unreachable ? "built with Go" : "by its installer"}, since ${why}`);
  });
}

/** The launcher of dynamic resources ships in the SDK; the CLI finds it beside itself. */
async function addLauncher(bin) {
  const launcher = "pulumi-resource-pulumi-nodejs";
  if (executable(join(bin, launcher))) return;
  await copyFile(join(ROOT, "node_modules", "@pulumi", "pulumi", launcher), join(bin, launcher));
  await chmod(join(bin, launcher), 0o755);
}

async function prove(bin, env) {
  const { code, output } = await askVersion(join(bin, "pulumi"), env);
  if (code === 0 && atLeast(output, LEAST) && HELPERS.every((helper) => executable(join(bin, helper)))) return;
  throw new Problem(
    "The Pulumi CLI that was brought does not run here: install Pulumi yourself (https://www.pulumi.com/docs/install) and run the same command again.",
    output,
  );
}
