/**
 * Detects two problems that would otherwise cause obscure errors: an old Node, and a program that cannot resolve this
 * package. Does not import the Pulumi SDK, since `agentgraph doctor` uses this module too.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Oldest supported version of Node. */
const OLDEST_NODE = [22, 19] as const;

/**
 * Returns what is wrong with a version of Node and how to fix it; undefined if it is supported. @param version
 * `process.versions.node`
 */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, least] = OLDEST_NODE;
  if (major > oldest || (major === oldest && minor >= least)) return undefined;
  return (
    `pulumi-agentgraph requires Node ${oldest}.${least} or newer, but this program runs on ${version}. Install ` +
    "a newer Node."
  );
}

/**
 * Returns why the stub in state would not load this package from the folder of the program, and how to fix it;
 * otherwise undefined.
 * @param own The folder of this package's compiled code.
 */
export function packageProblem(folder: string, own = join(__dirname, "../..")): string | undefined {
  const running = join(own, "provider", "index.js");
  if (!existsSync(running)) return BUNDLED;
  let installed: string;
  try {
    installed = createRequire(join(folder, "_")).resolve("pulumi-agentgraph/provider");
  } catch {
    const runtime = runtimeOf(folder) ?? "nodejs";
    if (runtime !== "nodejs" && runtime !== "bun") return otherLanguage(runtime);
    return (
      `Pulumi cannot resolve pulumi-agentgraph from ${folder}, the folder of the program. Add ` +
      `"pulumi-agentgraph" to the dependencies in ${manifestOf(folder)}, even if another package depends on it, ` +
      "and run npm install."
    );
  }
  // The native form: on Windows, the same file may have another case, such as that of the drive.
  const [program, declaring] = [realpathSync.native(installed), realpathSync.native(running)];
  if (program === declaring) return undefined;
  return (
    `Two copies of pulumi-agentgraph are in use: ${program}, which the folder of the program resolves to, and ` +
    `${declaring}, which declares the resources. Use the same version of pulumi-agentgraph and of ` +
    "@pulumi/pulumi in every package.json; some package managers install a copy for each version of " +
    "@pulumi/pulumi."
  );
}

const BUNDLED =
  "pulumi-agentgraph is part of a bundle. Pulumi loads it by its name, also when it runs no program, so mark " +
  "pulumi-agentgraph as external in the options of the bundler (esbuild: --external:pulumi-agentgraph), and " +
  "install it in the folder of the program.";

const otherLanguage = (runtime: string) =>
  `The program is written for ${runtime}, which cannot run dynamic resources. A component for programs in ` +
  `other languages must import its resources from "pulumi-agentgraph/native".`;

/** Returns the runtime that the nearest Pulumi project from a folder upward names; undefined if there is none. */
function runtimeOf(folder: string): string | undefined {
  const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file !== undefined) return /^runtime:\s*(?:name:\s*)?["']?([a-z]+)/m.exec(readFileSync(file, "utf8"))?.[1];
  return dirname(folder) === folder ? undefined : runtimeOf(dirname(folder));
}

/** Returns the nearest package.json from a folder upward, otherwise the path of a new one in that folder. */
function manifestOf(folder: string, from = folder): string {
  const path = join(from, "package.json");
  if (existsSync(path)) return path;
  return dirname(from) === from ? join(folder, "package.json") : manifestOf(folder, dirname(from));
}
