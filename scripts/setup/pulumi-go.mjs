/**
 * Builds the Pulumi CLI and its Node language host from the Go modules of toolchain/, for machines that reach a Go module
 * proxy but not the installer.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildTool } from "./go.mjs";
import { which } from "./paths.mjs";
import { Problem } from "./problem.mjs";

/** The programs, each with its module. */
const PROGRAMS = { pulumi: "pulumi", "pulumi-language-nodejs": "pulumi-languages" };

/** Builds both programs into `bin`. Reports progress with `now`. */
export async function buildWithGo(bin, version, env, now) {
  const go = which("go", env);
  if (!go) {
    throw new Problem(
      "The Pulumi CLI is not installed, its installer is unreachable, and Go, which could build it, is not installed. Install Pulumi (https://www.pulumi.com/docs/install) or Go (https://go.dev/dl) and run the same command again.",
    );
  }
  await mkdir(bin, { recursive: true });
  const programs = Object.entries(PROGRAMS);
  for (const [index, [name, module]] of programs.entries()) {
    now(`building ${name} with Go (${index + 1} of ${programs.length}, several minutes in total)`);
    const failed = "Building the Pulumi CLI with Go failed";
    await buildPulumiProgram({ go, module, name, output: join(bin, name), version, env, failed });
  }
}

/** Builds a program of Pulumi, which reports this version. The arguments are those of `buildTool`. */
export async function buildPulumiProgram({ version, ...build }) {
  const link = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  await buildTool({ ...build, flags: ["-tags", "osusergo,grpcnotrace"], link });
}
