/** A user's project after `npm install`, with the package and the SDK in node_modules. */
import { execFile } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ROOT } from "../packages/checkout";
import { packageFolder } from "../packages/packages";

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
    if (link) await Promise.all([program.link("pulumi-agentgraph", packageFolder()), program.linkSdk()]);
    return program;
  }

  /**
   * Copies an example with its dependencies, so that the engine writes nothing to the checkout.
   *
   * @param modules Folder of the dependencies; that of this checkout by default.
   */
  static async copy(example: string, folder: string, modules = join(ROOT, "node_modules")): Promise<Program> {
    const source = join(ROOT, "examples", example);
    await cp(source, folder, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
    const program = new Program(folder);
    const text = await readFile(join(source, "package.json"), "utf8").catch(() => "{}");
    const names = new Set(["pulumi-agentgraph", "@pulumi/pulumi", ...Object.keys(JSON.parse(text).dependencies ?? {})]);
    const target = (name: string) => (name === "pulumi-agentgraph" ? packageFolder() : join(modules, name));
    await Promise.all([...names].map((name) => program.link(name, target(name))));
    return program;
  }

  /** Creates a project with `pulumi new` from a template of this checkout; node_modules does not exist. */
  static async fromTemplate(template: string, folder: string, project: string, env = process.env): Promise<Program> {
    const source = join(ROOT, "templates", template);
    const args = ["new", source, "--generate-only", "--yes", "--non-interactive", "--name", project, "--dir", folder];
    const home = await mkdtemp(join(tmpdir(), "agentgraph-new-"));
    const local = { PULUMI_HOME: home, PULUMI_BACKEND_URL: pathToFileURL(home).href, PULUMI_SKIP_UPDATE_CHECK: "true" };
    await promisify(execFile)("pulumi", args, { env: { ...env, ...local } });
    await rm(home, { recursive: true });
    return new Program(folder);
  }

  /** Makes the engine use the native plugin of the installed package. */
  async usePlugin(): Promise<void> {
    const path = JSON.stringify(join(packageFolder(), "build/plugin"));
    const plugin = `plugins:\n  providers:\n    - name: agentgraph\n      path: ${path}\n`;
    await appendFile(join(this.folder, "Pulumi.yaml"), plugin);
  }

  /** @param sdk Folder of the Pulumi SDK; that of this checkout by default. */
  linkSdk(sdk = join(ROOT, "node_modules", "@pulumi", "pulumi")): Promise<void> {
    return this.link("@pulumi/pulumi", sdk);
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
