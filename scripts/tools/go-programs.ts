/** Provides programs of the Go modules in toolchain/, with their own source or that of others: cached, or built. */
import { existsSync } from "node:fs";
import { chmod, copyFile, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { digestOf, inCache } from "../setup/cache.mjs";
import { buildTool, goProgram } from "../setup/go.mjs";
import { executable, PLATFORM, toolchainOf } from "../setup/paths.mjs";
import { ensurePulumi } from "../setup/pulumi.mjs";
import { buildPulumiProgram } from "../setup/pulumi-go.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

interface GoProgram {
  /** Its file name. */
  name: string;
  /** Its module in toolchain/ (default: the name). */
  module?: string;
  /** The beginning of the name of its cache entry (default: the name). */
  entry?: string;
  /** As the beginning of a sentence (default: the name). */
  title?: string;
  /** What requires it: a sentence that ends with "Go" follows. */
  purpose: string;
  /** Of a program of Pulumi: the Go module that determines its version. */
  source?: string;
}

/** Returns the path of the generator of SDKs; its arguments: a language, the schema file, the target folder. */
export const ensureSdkGenerator = (env: NodeJS.ProcessEnv) =>
  ensureProgram({ name: "sdk-generator", title: "SDK generator", purpose: "Generating SDKs requires" }, env);

/** Returns the path of a program that signs programs for macOS; its arguments are the file and its identifier. */
export const ensureMacSigner = (env: NodeJS.ProcessEnv) => {
  const purpose = "Building the executables for macOS requires";
  return ensureProgram({ name: "mac-signer", title: "Signer of programs for macOS", purpose }, env);
};

/** Returns the path of a provider that accepts the resources of other providers, and creates nothing. */
export const ensureStandIn = (env: NodeJS.ProcessEnv) => {
  const purpose = "Running the examples with other providers requires";
  return ensureProgram({ name: "stand-in", title: "Stand-in for other providers", purpose }, env);
};

/** Returns the path of versitygw, an independent S3 server for the tests of bucket clients. */
export const ensureVersitygw = (env: NodeJS.ProcessEnv) => {
  const purpose = "Tests against another S3 server require";
  return ensureProgram({ name: "versitygw", title: "S3 server", purpose }, env);
};

export const NEWEST_CLI = { module: "pulumi-newest", source: "github.com/pulumi/pulumi/pkg/v3" };

/** Returns the path of the newest `pulumi`, without the language hosts. */
export const ensureNewestCli = (env: NodeJS.ProcessEnv) => {
  const purpose = "Tests with the newest Pulumi CLI require";
  return ensureProgram(
    { name: "pulumi", title: "Newest Pulumi CLI", entry: NEWEST_CLI.module, purpose, ...NEWEST_CLI },
    env,
  );
};

const HOSTS: Record<string, { module: string; source: string }> = {
  go: { module: "pulumi-language-go", source: "github.com/pulumi/pulumi/sdk/v3" },
  java: { module: "pulumi-java", source: "github.com/pulumi/pulumi-java/pkg" },
  python: { module: "pulumi-languages", source: "github.com/pulumi/pulumi/sdk/v3" },
  yaml: { module: "pulumi-language-yaml", source: "github.com/pulumi/pulumi-yaml" },
};

/** The script that the host of Python starts. */
const PYTHON_SCRIPT = "python/cmd/pulumi-language-python-exec";

/** Returns the folder that contains the host of a language ("go", "java", "python" or "yaml"), for PATH. */
export async function ensureLanguageHost(language: string, env: NodeJS.ProcessEnv) {
  const name = `pulumi-language-${language}`;
  const host = HOSTS[language];
  if (!host) throw new Error(`${name} is not a language host.`);
  // The official installer of the CLI provides all hosts. That of Java also generates an SDK, so it is always built:
  // the installed CLI must not decide the result.
  const beside = dirname(await realpath(await ensurePulumi(env)));
  if (language !== "java" && executable(join(beside, name))) return beside;
  const purpose = `Without ${name} next to the Pulumi CLI, tests in other languages require`;
  return dirname(await ensureProgram({ name, purpose, ...host }, env));
}

/** Returns the version of a Go module that a module of toolchain/ requires. */
export async function versionOf({ module, source }: { module: string; source: string }): Promise<string> {
  const [, rest = ""] = (await readFile(join(toolchainOf(module), "go.mod"), "utf8")).split(`\t${source} v`);
  return rest.split(/\s/, 1).join();
}

async function ensureProgram(program: GoProgram, env: NodeJS.ProcessEnv) {
  const { name, module = name, entry = name, title = name, purpose, source } = program;
  const version = source && (await versionOf({ module, source }));
  const files = ["main.go", "go.mod"].map((file) => join(toolchainOf(module), file)).filter(existsSync);
  const folder = `${entry}-${version ?? (await digestOf(...files))}-${PLATFORM}`;
  const home = await inCache(folder, title, async (draft) => {
    const go = goProgram(purpose, env);
    const build = { go, module, name, output: join(draft, name), env, failed: `Building ${name} with Go failed` };
    const why = `building ${version ?? "it"} with Go (minutes, once)`;
    await step(title, why, () => (version ? buildPulumiProgram({ ...build, version }) : buildTool(build)));
    if (name === "pulumi-language-python") await addScript(go, module, draft, env);
  });
  return join(home, name);
}

async function addScript(go: string, module: string, draft: string, env: NodeJS.ProcessEnv) {
  const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", HOSTS.python?.source ?? ""];
  const options = { cwd: toolchainOf(module), env: { ...env, GOWORK: "off" }, failed: "Go cannot find the SDK" };
  const target = join(draft, basename(PYTHON_SCRIPT));
  await copyFile(join((await run(go, args, options)).trim(), PYTHON_SCRIPT), target);
  await chmod(target, 0o755);
}
