/**
 * Two things that would otherwise fail later and say less: an old Node, and a program that does not own the package.
 * Each answers what is wrong and what to do, or undefined. Free of the SDK of Pulumi, since commands ask here too.
 */
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The oldest Node that both halves are tested with. */
const OLDEST_NODE = [22, 19] as const;

/** @param version As `process.versions.node` has it. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, least] = OLDEST_NODE;
  if (major > oldest || (major === oldest && minor >= least)) return undefined;
  return `pulumi-agentgraph needs Node ${oldest}.${least} or newer, and this program runs on ${version}: install a newer Node.`;
}

/** The stub is resolved from the program's folder: what it finds there must be this package. */
export function packageProblem(folder: string): string | undefined {
  const own = join(__dirname, "..", "provider", "index.js");
  let found: string;
  try {
    found = createRequire(join(folder, "_")).resolve("pulumi-agentgraph/provider");
  } catch {
    return `pulumi-agentgraph cannot be found from the program's folder ${folder}, where Pulumi looks for it: add "pulumi-agentgraph" to the dependencies in ${manifestOf(folder)}, even if another package brings it, and install.`;
  }
  if (realpathSync(found) === realpathSync(own)) return undefined;
  return `Two copies of pulumi-agentgraph are in use: ${realpathSync(found)} is found from the program's folder, and ${realpathSync(own)} declares the resources. Make every package.json name the same version of pulumi-agentgraph, and of @pulumi/pulumi, since some package managers make a copy for each of its versions.`;
}

/** The package.json that says what a folder may use: the nearest one upwards, else the one to be written there. */
function manifestOf(folder: string, from = folder): string {
  const path = join(from, "package.json");
  if (existsSync(path)) return path;
  return dirname(from) === from ? join(folder, "package.json") : manifestOf(folder, dirname(from));
}
