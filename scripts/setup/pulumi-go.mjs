/** Builds the Pulumi CLI and its Node language host for machines that reach a module proxy but no installer. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildTool, packagesOf } from "./go.mjs";
import { which } from "./paths.mjs";
import { Problem } from "./problem.mjs";

/**
 * The programs, each with its module. They need two modules, since the newest host that Go can build is older than the
 * CLI. Where both use a package of others, they use the same version, so that Go compiles it once.
 */
const PROGRAMS = { "pulumi-language-nodejs": "pulumi-languages", pulumi: "pulumi" };

const FLAGS = ["-tags", "osusergo,grpcnotrace"];

/** Builds both programs into `bin`. Reports progress with `now`. */
export async function buildWithGo(bin, version, env, now) {
  const go = which("go", env);
  if (!go) {
    throw new Problem(
      "The Pulumi CLI is not installed, its installer is unreachable, and Go, which could build it, is not " +
        "installed. Install Pulumi (https://www.pulumi.com/docs/install) or Go (https://go.dev/dl) and run the " +
        "same command again.",
    );
  }
  await mkdir(bin, { recursive: true });
  const builds = Object.entries(PROGRAMS).map(([name, module]) => {
    const failed = "Building the Pulumi CLI with Go failed";
    return { go, module, name, output: join(bin, name), version, env, failed };
  });
  const isProgress = compilation(await packages(builds, now), now);
  for (const build of builds) await buildPulumiProgram({ ...build, isProgress });
}

/** Downloads the modules of both programs, and returns the names of their packages. */
async function packages(builds, now) {
  let modules = 0;
  const isProgress = (line) => {
    const isDownload = line.startsWith("go: downloading ");
    if (isDownload) now(`downloading Go modules, ${++modules} so far`);
    return isDownload;
  };
  const lists = await Promise.all(builds.map((build) => packagesOf({ ...build, flags: FLAGS, isProgress })));
  return new Set(lists.flat());
}

/** Counts the packages that Go names when it compiles them. Those in its cache are not compiled again. */
function compilation(names, now) {
  const compiled = new Set();
  return (line) => {
    if (!names.has(line)) return false;
    compiled.add(line);
    now(`compiling package ${compiled.size} of ${names.size} with Go, about 4 minutes in total on two cores`);
    return true;
  };
}

/** Builds a program of Pulumi, which reports this version. The arguments are those of `buildTool`. */
export async function buildPulumiProgram({ version, ...build }) {
  const link = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  await buildTool({ ...build, flags: FLAGS, link });
}
