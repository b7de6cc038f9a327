/** The native provider plugin with the real engine, for a program without the SDK of this package. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CliStack } from "./support/cli-stack";
import { steps } from "./support/events";
import { pluginFolder } from "./support/plugin";
import { World } from "./support/world";

const world = new World();

/** Returns a program that declares a deployment and a thread as any generated SDK does. */
const source = (image: string) => `
  class Deployment extends pulumi.CustomResource {
    constructor(name, args) {
      super("agentgraph:index:Deployment", name, { ...args, url: undefined });
    }
  }
  class Thread extends pulumi.CustomResource {
    constructor(name, args) {
      super("agentgraph:index:Thread", name, args);
    }
  }
  const agent = new Deployment("agent", {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "${image}" },
    secrets: { MODEL_KEY: "a-model-key" },
  });
  new Thread("session", { deploymentId: agent.id, metadata: { tier: "gold" } });
  exports.url = agent.url;`;

async function declare({ program }: CliStack, image: string): Promise<void> {
  await program.file("index.js", `const pulumi = require("@pulumi/pulumi");${source(image)}`);
}

/** Starts the plugin as a debugger does, without an engine. @returns The value with which engines attach to it. */
async function startDetached(env: Record<string, string>): Promise<string> {
  const plugin = spawn(join(await pluginFolder(), "pulumi-resource-agentgraph"), {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  plugins.push(() => plugin.stdin.end());
  const [port] = await once(plugin.stdout, "data");
  return `agentgraph:${String(port).trim()}`;
}
const plugins: (() => void)[] = [];
afterAll(() => {
  for (const stop of plugins) stop();
});

test("the plugin runs a program from up to destroy, an image bump previews as one update, and engines attach to it", async () => {
  const stack = await world.stack({ project: "plugin" });
  const { program } = stack;
  const settings = "name: plugin\nruntime: nodejs\n";
  // As `pulumi package add <folder>` writes it.
  await program.file("Pulumi.yaml", `${settings}packages:\n  agentgraph: ${JSON.stringify(await pluginFolder())}\n`);
  await declare(stack, "registry.example.com/agent:1");
  const created = await stack.up();
  expect(created).toMatchObject({ code: 0 });
  expect(steps(created).sort()).toEqual(["create agent", "create session"]);
  expect(created.output).toMatch(/url: "http/);
  expect(await stack.readBackend()).not.toContain("a-model-key");

  await declare(stack, "registry.example.com/agent:2");
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(steps(preview)).toEqual(["update agent"]);

  await program.file("Pulumi.yaml", settings);
  stack.env.PULUMI_DEBUG_PROVIDERS = await startDetached(stack.env);
  const updated = await stack.up();
  expect(updated).toMatchObject({ code: 0 });
  expect(steps(updated)).toEqual(["update agent"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});
