/** Provides language hosts, which only tests of other languages need: next to the CLI, cached, or built with Go. */
import { chmod, copyFile, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inCache } from "../cache.mjs";
import { moduleOf } from "../go.mjs";
import { executable, PLATFORM, which } from "../paths.mjs";
import { Problem } from "../problem.mjs";
import { ensurePulumi } from "../pulumi.mjs";
import { buildPulumiProgram } from "../pulumi-go.mjs";
import { run } from "../run.mjs";
import { step } from "../step.mjs";

/**
 * The hosts: the module of toolchain/, the Go module that determines the version, and its script, if the host has one. A host
 * that also generates an SDK is always the built one, so that the result does not depend on the installed CLI.
 */
const HOSTS = {
  "pulumi-language-java": {
    module: "pulumi-java",
    source: "github.com/pulumi/pulumi-java/pkg",
    isGenerator: true,
  },
  "pulumi-language-python": {
    module: "pulumi-languages",
    source: "github.com/pulumi/pulumi/sdk/v3",
    script: "python/cmd/pulumi-language-python-exec",
  },
  "pulumi-language-yaml": { module: "pulumi-language-yaml", source: "github.com/pulumi/pulumi-yaml" },
};

/** Returns the folder that contains the host of a language ("java", "python" or "yaml"), for PATH. */
export async function ensureLanguageHost(language, env) {
  const name = `pulumi-language-${language}`;
  const { module, source, isGenerator } = HOSTS[name];
  // The official installer of the CLI provides all hosts.
  const beside = dirname(await realpath(await ensurePulumi(env)));
  if (!isGenerator && executable(join(beside, name))) return beside;
  const [, version] = (await readFile(join(moduleOf(module), "go.mod"), "utf8")).split(`\t${source} v`);
  const [number] = version.split(/\s/);
  return inCache(`${name}-${number}-${PLATFORM}`, name, (draft) => build(draft, name, number, env));
}

async function build(draft, name, version, env) {
  const go = which("go", env);
  if (!go) {
    throw new Problem(
      `Tests in other languages require ${name}, which is not next to the Pulumi CLI, and Go, which could build it, is not installed. Install Pulumi (https://www.pulumi.com/docs/install) or Go (https://go.dev/dl) and run the same command again.`,
    );
  }
  const { module, source, script } = HOSTS[name];
  await step(name, `building ${version} with Go (minutes, once)`, async () => {
    const failed = `Building ${name} with Go failed`;
    await buildPulumiProgram({ go, module, name, output: join(draft, name), version, env, failed });
    if (!script) return;
    const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", source];
    const folder = (await run(go, args, { cwd: moduleOf(module), env: { ...env, GOWORK: "off" }, failed })).trim();
    const target = join(draft, script.split("/").at(-1));
    await copyFile(join(folder, script), target);
    await chmod(target, 0o755);
  });
}
