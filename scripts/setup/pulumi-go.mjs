/** Builds the Pulumi CLI and its Node language host for machines that reach a module proxy but no installer. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildTool } from "./go.mjs";
import { which } from "./paths.mjs";
import { Problem } from "./problem.mjs";

/**
 * The programs, each with its module. They need two modules, since the newest host that Go can build is older than the
 * CLI. Where both use a package of others, they use the same version, so that Go compiles it once.
 */
const PROGRAMS = { "pulumi-language-nodejs": "pulumi-languages", pulumi: "pulumi" };

/** Builds both programs into `bin`. */
export async function buildWithGo(bin, version, env) {
  const go = which("go", env);
  if (!go) {
    throw new Problem(
      "The Pulumi CLI is not installed, its installer is unreachable, and Go, which could build it, is not " +
        "installed. Install Pulumi (https://www.pulumi.com/docs/install) or Go (https://go.dev/dl) and run the " +
        "same command again.",
    );
  }
  await mkdir(bin, { recursive: true });
  const failed = "Building the Pulumi CLI with Go failed";
  for (const [name, module] of Object.entries(PROGRAMS))
    await buildPulumiProgram({ go, module, name, output: join(bin, name), version, env, failed });
}

/**
 * Build tags of Pulumi itself, and that of Google's storage client which leaves out connections past its load balancer:
 * 135 of 1,683 packages, and a tenth of the sources. Google Cloud Storage works without them.
 */
const TAGS = "osusergo,grpcnotrace,disable_grpc_modules";

/** Builds a program of Pulumi, which reports this version. The arguments are those of `buildTool`. */
export async function buildPulumiProgram({ version, ...build }) {
  const link = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  await buildTool({ ...build, flags: ["-tags", TAGS], link });
}
