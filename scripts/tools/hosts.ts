/** Provides language hosts, which only tests of other languages need: next to the CLI, cached, or built with Go. */
import { chmod, copyFile, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { inCache } from "../setup/cache.mjs";
import { executable, PLATFORM, toolchainOf, which } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { ensurePulumi } from "../setup/pulumi.mjs";
import { buildPulumiProgram } from "../setup/pulumi-go.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

interface Host {
  /** Its module in toolchain/. */
  module: string;
  /** The Go module that determines its version. */
  source: string;
  /** The script that it starts. */
  script?: string;
  /** Whether it also generates an SDK. It is then always built: the installed CLI must not decide the result. */
  isGenerator?: boolean;
}

const HOSTS: Record<string, Host> = {
  "pulumi-language-go": { module: "pulumi-language-go", source: "github.com/pulumi/pulumi/sdk/v3" },
  "pulumi-language-java": { module: "pulumi-java", source: "github.com/pulumi/pulumi-java/pkg", isGenerator: true },
  "pulumi-language-python": {
    module: "pulumi-languages",
    source: "github.com/pulumi/pulumi/sdk/v3",
    script: "python/cmd/pulumi-language-python-exec",
  },
  "pulumi-language-yaml": { module: "pulumi-language-yaml", source: "github.com/pulumi/pulumi-yaml" },
};

/** Returns the folder that contains the host of a language ("go", "java", "python" or "yaml"), for PATH. */
export async function ensureLanguageHost(language: string, env: NodeJS.ProcessEnv) {
  const name = `pulumi-language-${language}`;
  const { module, source, isGenerator } = hostOf(name);
  // The official installer of the CLI provides all hosts.
  const beside = dirname(await realpath(await ensurePulumi(env)));
  if (!isGenerator && executable(join(beside, name))) return beside;
  const [, rest = ""] = (await readFile(join(toolchainOf(module), "go.mod"), "utf8")).split(`\t${source} v`);
  const [version = ""] = rest.split(/\s/);
  return inCache(`${name}-${version}-${PLATFORM}`, name, (draft) => build(draft, name, version, env));
}

function hostOf(name: string): Host {
  const host = HOSTS[name];
  if (!host) throw new Error(`${name} is not a language host.`);
  return host;
}

async function build(draft: string, name: string, version: string, env: NodeJS.ProcessEnv) {
  const go = which("go", env);
  if (!go) {
    throw new Problem(
      `Tests in other languages require ${name}, which is not next to the Pulumi CLI, and Go, which could ` +
        "build it, is not installed. Install Pulumi (https://www.pulumi.com/docs/install) or Go " +
        "(https://go.dev/dl) and run the same command again.",
    );
  }
  const { module, source, script } = hostOf(name);
  await step(name, `building ${version} with Go (minutes, once)`, async () => {
    const failed = `Building ${name} with Go failed`;
    await buildPulumiProgram({ go, module, name, output: join(draft, name), version, env, failed });
    if (!script) return;
    const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", source];
    const folder = (await run(go, args, { cwd: toolchainOf(module), env: { ...env, GOWORK: "off" }, failed })).trim();
    const target = join(draft, basename(script));
    await copyFile(join(folder, script), target);
    await chmod(target, 0o755);
  });
}
