/**
 * The Pulumi CLI and its Node language host from the Go modules of toolchain/, for machines that reach a Go module
 * proxy and not the installer. go.sum pins every source that goes in.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, which } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { run } from "./run.mjs";

const MODULES = ["pulumi", "pulumi-language-nodejs"];

/** Builds both programs into `bin`; `now` is told what is being built. */
export async function buildWithGo(bin, version, env, now) {
  const go = which("go", env);
  if (!go) {
    throw new Problem(
      "There is no Pulumi CLI, its installer cannot be reached, and building it needs Go, which is not here: install Pulumi (https://www.pulumi.com/docs/install) or Go (https://go.dev/dl) and run the same command again.",
    );
  }
  await mkdir(bin, { recursive: true });
  for (const [index, name] of MODULES.entries()) {
    now(`building ${name} with Go (${index + 1} of ${MODULES.length}, some minutes in all)`);
    await build(go, join(ROOT, "toolchain", name), join(bin, name), version, env);
  }
}

async function build(go, folder, output, version, env) {
  const source = /^tool (\S+)$/m.exec(await readFile(join(folder, "go.mod"), "utf8"))[1];
  const stamp = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  const flags = ["-mod=readonly", "-buildvcs=false", "-trimpath", "-tags", "osusergo,grpcnotrace"];
  await run(go, ["build", ...flags, "-ldflags", `-s -w ${stamp}`, "-o", output, source], {
    cwd: folder,
    env: { ...env, CGO_ENABLED: "0", GOWORK: "off" },
    failed: "Building the Pulumi CLI with Go failed",
  });
}
