/**
 * Detects two problems that would otherwise cause obscure errors: an old Node, and a program that cannot resolve this
 * package. Does not import the Pulumi SDK, since `agentgraph doctor` uses this module too.
 */
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Oldest supported version of Node. */
const OLDEST_NODE = [22, 19] as const;

/** Returns what is wrong with a version of Node and how to fix it; undefined if it is supported. @param version `process.versions.node` */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, least] = OLDEST_NODE;
  if (major > oldest || (major === oldest && minor >= least)) return undefined;
  return `pulumi-agentgraph requires Node ${oldest}.${least} or newer, but this program runs on ${version}. Install a newer Node.`;
}

/** Returns why the stub in state would not load this package from the folder of the program, and how to fix it; otherwise undefined. */
export function packageProblem(folder: string): string | undefined {
  const running = join(__dirname, "../..", "provider", "index.js");
  let installed: string;
  try {
    installed = createRequire(join(folder, "_")).resolve("pulumi-agentgraph/provider");
  } catch {
    return `Pulumi cannot resolve pulumi-agentgraph from ${folder}, the folder of the program. Add "pulumi-agentgraph" to the dependencies in ${manifestOf(folder)}, even if another package depends on it, and run npm install.`;
  }
  // The native form: on Windows, the same file may have another case, such as that of the drive.
  const [program, own] = [realpathSync.native(installed), realpathSync.native(running)];
  if (program === own) return undefined;
  return `Two copies of pulumi-agentgraph are in use: ${program}, which the folder of the program resolves to, and ${own}, which declares the resources. Use the same version of pulumi-agentgraph and of @pulumi/pulumi in every package.json; some package managers install a copy for each version of @pulumi/pulumi.`;
}

/** Returns the nearest package.json from a folder upward, otherwise the path of a new one in that folder. */
function manifestOf(folder: string, from = folder): string {
  const path = join(from, "package.json");
  if (existsSync(path)) return path;
  return dirname(from) === from ? join(folder, "package.json") : manifestOf(folder, dirname(from));
}
