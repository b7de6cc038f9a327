/** A user's project in a folder of its own, as after `npm install`: the package and the SDK stand in its node_modules. */
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** The checkout. */
export const ROOT = resolve(__dirname, "../../..");

/** What a deployment of the stories is declared with; every field may be left out. */
export interface AgentOptions {
  name?: string;
  image?: string;
  secrets?: Record<string, string>;
  secretReferences?: Record<string, { secretName: string; secretKey: string }>;
  sourceConfig?: object;
  /** More arguments, right or wrong. */
  more?: object;
  /** The resource's options, as source text. */
  options?: string;
}

export const IMAGE = "registry.example.com/agent:1.0.0";

/** Source text that declares a deployment called `agent` and exports its outputs. */
export function agentSource({ options, image = IMAGE, more, ...args }: AgentOptions = {}): string {
  const inputs = { source: "external_docker", sourceRevisionConfig: { imageUri: image }, ...args, ...more };
  return [
    `const agent = new agentgraph.Deployment("agent", ${JSON.stringify(inputs)}, ${options ?? "{}"});`,
    ...["id", "url", "status", "activeRevisionId"].map((output) => `exports.${output} = agent.${output};`),
  ].join("\n");
}

export class Program {
  private constructor(readonly folder: string) {}

  /** An empty project; `link: false` leaves its node_modules to somebody else. */
  static async create(folder: string, project: string, { link = true } = {}): Promise<Program> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "Pulumi.yaml"), `name: ${project}\nruntime: nodejs\n`);
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: project, version: "1.0.0", private: true }));
    const program = new Program(folder);
    if (link) await Promise.all([program.link("pulumi-agentgraph", ROOT), program.linkSdk()]);
    return program;
  }

  /** A copy of a folder of examples/, as a user has it: nothing that the engine writes lands in the checkout. */
  static async copy(example: string, folder: string): Promise<Program> {
    const source = join(ROOT, "examples", example);
    await cp(source, folder, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
    const program = new Program(folder);
    await Promise.all([program.link("pulumi-agentgraph", ROOT), program.linkSdk()]);
    return program;
  }

  linkSdk(): Promise<void> {
    return this.link("@pulumi/pulumi", join(ROOT, "node_modules", "@pulumi", "pulumi"));
  }

  private async link(name: string, target: string): Promise<void> {
    const link = join(this.folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link);
  }

  /** The program, in JavaScript: `agentgraph` and `pulumi` are there already. */
  write(source: string): Promise<void> {
    const head = 'const pulumi = require("@pulumi/pulumi");\nconst agentgraph = require("pulumi-agentgraph");\n';
    return this.file("index.js", head + source);
  }

  file(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }
}
