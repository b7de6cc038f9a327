/** A user's project after `npm install`, with the package and the SDK in node_modules. */
import { appendFile, cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ROOT } from "./checkout";
import { pluginFolder } from "./plugin";

/** Arguments of the deployment in test programs; all are optional. */
export interface AgentOptions {
  name?: string;
  image?: string;
  secrets?: Record<string, string>;
  secretReferences?: Record<string, { secretName: string; secretKey: string }>;
  sourceConfig?: object;
  /** Additional arguments, valid or not. */
  more?: object;
  /** Resource options, as source code. */
  options?: string;
}

export const IMAGE = "registry.example.com/agent:1.0.0";

/** Returns source code that declares a deployment named `agent` and exports its outputs. */
export function agentSource({ options, image = IMAGE, more, ...args }: AgentOptions = {}): string {
  const inputs = { source: "external_docker", sourceRevisionConfig: { imageUri: image }, ...args, ...more };
  return [
    `const agent = new agentgraph.Deployment("agent", ${JSON.stringify(inputs)}, ${options ?? "{}"});`,
    ...["id", "url", "status", "activeRevisionId"].map((output) => `exports.${output} = agent.${output};`),
  ].join("\n");
}

export class Program {
  private constructor(readonly folder: string) {}

  /** Creates an empty project. With `link: false`, node_modules stays empty. */
  static async create(folder: string, project: string, { link = true } = {}): Promise<Program> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "Pulumi.yaml"), `name: ${project}\nruntime: nodejs\n`);
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: project, version: "1.0.0", private: true }));
    const program = new Program(folder);
    if (link) await Promise.all([program.link("pulumi-agentgraph", ROOT), program.linkSdk()]);
    return program;
  }

  /** Copies an example, so that the engine writes nothing to the checkout. */
  static async copy(example: string, folder: string): Promise<Program> {
    const source = join(ROOT, "examples", example);
    await cp(source, folder, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
    const program = new Program(folder);
    await Promise.all([program.link("pulumi-agentgraph", ROOT), program.linkSdk()]);
    return program;
  }

  /** Makes the engine use the native plugin of this checkout. */
  async usePlugin(): Promise<void> {
    const plugin = `plugins:\n  providers:\n    - name: agentgraph\n      path: ${JSON.stringify(await pluginFolder())}\n`;
    await appendFile(join(this.folder, "Pulumi.yaml"), plugin);
  }

  linkSdk(): Promise<void> {
    return this.link("@pulumi/pulumi", join(ROOT, "node_modules", "@pulumi", "pulumi"));
  }

  private async link(name: string, target: string): Promise<void> {
    const link = join(this.folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link);
  }

  /** Writes the program in JavaScript. `agentgraph` and `pulumi` are already imported. */
  write(source: string): Promise<void> {
    const head = 'const pulumi = require("@pulumi/pulumi");\nconst agentgraph = require("pulumi-agentgraph");\n';
    return this.file("index.js", head + source);
  }

  file(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }
}
