/**
 * Builds the Pulumi CLI and its Node language host from the Go modules of toolchain/, for machines that reach a Go module
 * proxy but not the installer.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildTool } from "./go.mjs";
import { which } from "./paths.mjs";
import { Problem } from "./problem.mjs";

const MODULES = ["pulumi", "pulumi-language-nodejs"];

/** Builds both programs into `bin`. Reports progress with `now`. */
export async function buildWithGo(bin, version, env, now) {
  const go = which("go", env);
  if (!go) {
    throw new Problem(
      "The Pulumi CLI is not installed, its installer is unreachable, and Go, which could build it, is not installed. Install Pulumi (https://www.pulumi.com/docs/install) or Go (https://go.dev/dl) and run the same command again.",
    );
  }
  await mkdir(bin, { recursive: true });
  for (const [index, name] of MODULES.entries()) {
    now(`building ${name} with Go (${index + 1} of ${MODULES.length}, several minutes in total)`);
    await build(go, name, join(bin, name), version, env);
  }
}

async function build(go, name, output, version, env) {
  const link = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  const flags = ["-tags", "osusergo,grpcnotrace"];
  await buildTool({ go, name, output, flags, link, env, failed: "Building the Pulumi CLI with Go failed" });
}
