/**
 * The native provider plugin with the real engine, for a program without the SDK of this package: the life of its
 * resources, previews, replacements that diff does not decide, and a component. Each test but the last continues where
 * the previous one ended.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fails, succeeds } from "../support/cli/cli";
import type { CliStack } from "../support/cli/cli-stack";
import { drifted, messagesOf, steps } from "../support/cli/events";
import { pluginFolder } from "../support/packages/plugin";
import { DAY_MS } from "../support/traces";
import { World } from "../support/world";

const world = new World();
let stack: CliStack;

/** A day ago: the emulator exports every window since then. */
const START = new Date(Date.now() - DAY_MS).toISOString();
const TYPES = {
  ...{ agent: "Deployment", session: "Thread", "by-url": "Thread" },
  ...{ lake: "BulkExportDestination", nightly: "ScheduledBulkExport" },
};
type Name = keyof typeof TYPES;
/** What depends on the deployment. */
const DEPENDENT = ["session", "by-url", "nightly"];
const ADVICE = "deleteBeforeReplace: true  (Python: delete_before_replace=True)";

/**
 * Declares a deployment with what depends on its ID, URL and project, as any generated SDK does: without
 * deleteBeforeReplace.
 */
function declare({ image = 1, name = "", options = "{}", byUrl = false } = {}): Promise<void> {
  const { url: endpointUrl, accessKeyId, secretAccessKey } = world.emulator.bucket;
  const lake = {
    ...{ destinationType: "s3", displayName: "Lake", config: { bucketName: "exports", endpointUrl } },
    credentials: { accessKeyId, secretAccessKey },
  };
  return stack.program.file(
    "index.js",
    `const pulumi = require("@pulumi/pulumi");
    const create = (name, args, options) => {
      const type = "agentgraph:index:" + ${JSON.stringify(TYPES)}[name];
      return new pulumi.CustomResource(type, name, { ...args, url: undefined, tracingProjectId: undefined }, options);
    };
    const agent = create("agent", {
      ${name && `name: "${name}",`} source: "external_docker",
      sourceRevisionConfig: { imageUri: "registry.example.com/agent:${image}" },
      secrets: { MODEL_KEY: "a-model-key" },
    }, ${options});
    create("session", { deploymentId: agent.id, metadata: { tier: "gold" } }, ${options});
    ${byUrl ? `create("by-url", { deploymentUrl: agent.url }, ${options});` : ""}
    const lake = create("lake", ${JSON.stringify(lake)}, ${options});
    create("nightly", { bulkExportDestinationId: lake.id, sessionId: agent.tracingProjectId,
      startTime: "${START}", intervalHours: 24 }, ${options});
    exports.url = agent.url;`,
  );
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

const SETTINGS = "name: plugin\nruntime: nodejs\n";

beforeAll(async () => {
  stack = await world.stack({ project: "plugin", env: { ...world.tracing, AGENTGRAPH_OWNER_ID: "acme" } });
  // As `pulumi package add <folder>` writes it.
  const packages = `packages:\n  agentgraph: ${JSON.stringify(await pluginFolder())}\n`;
  await stack.program.file("Pulumi.yaml", SETTINGS + packages);
});

/** Returns the IDs in state by name; fails when a deletion is pending. */
async function ids(): Promise<Record<string, string | undefined>> {
  const { resources = [] } = (await stack.state()).deployment;
  const managed = resources.filter(({ type }) => type.startsWith("agentgraph:"));
  expect(new Set(managed.map(({ urn }) => urn)).size).toBe(managed.length);
  return Object.fromEntries(managed.map(({ urn, id }) => [urn.split("::").at(-1), id]));
}
const urnOf = (name: Name) => stack.urn(name, `agentgraph:index:${TYPES[name]}`);

test("an up creates everything without a warning or a secret in state, with a name by autonaming", async () => {
  await declare();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: users write these placeholders in the stack configuration.
  await stack.runOrThrow("config", "set", "--path", "pulumi:autonaming.pattern", "${name}-${stack}");
  const created = await succeeds(stack.up());
  expect(steps(created).sort()).toEqual(["create agent", "create lake", "create nightly", "create session"]);
  expect(created.output).toMatch(/url: "http/);
  expect(created.output).not.toContain("warning");
  expect(await stack.readBackend()).not.toContain("a-model-key");
  expect(await world.deployments()).toMatchObject([{ name: "agent-dev" }]);
});

test("an image bump is one update that keeps the name, and engines attach to a plugin that already runs", async () => {
  // With it, the engine deletes before it replaces.
  await stack.runOrThrow("config", "rm", "pulumi:autonaming");
  await declare({ image: 2 });
  await stack.program.file("Pulumi.yaml", SETTINGS);
  stack.env.PULUMI_DEBUG_PROVIDERS = await startDetached(stack.env);
  const updated = await succeeds(stack.up());
  expect(steps(updated)).toEqual(["update agent"]);
  delete stack.env.PULUMI_DEBUG_PROVIDERS;
  await stack.program.usePlugin();
  expect(await world.deployments()).toMatchObject([{ name: "agent-dev" }]);
});

test("a replacement by replaceOnChanges, which only the engine applies, deletes the old one first", async () => {
  const before = await ids();
  await declare({ image: 3, name: "agent-dev", options: '{ replaceOnChanges: ["sourceRevisionConfig"] }' });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const after = await ids();
  expect(after.agent).not.toBe(before.agent);
  expect(await world.deployments()).toMatchObject([{ id: after.agent }]);
});

test("a replacement of young objects fails with the option to set, and nothing is lost", async () => {
  await declare({ image: 3, name: "agent-dev" });
  const before = await ids();
  const targets = (["agent", "session", "lake", "nightly"] as const).flatMap((name) => ["--replace", urnOf(name)]);
  expect((await fails(stack.up(...targets, "--continue-on-error"))).output).toContain(ADVICE);

  const next = await succeeds(stack.up("--refresh"));
  expect(drifted(next)).toEqual([]);
  expect(next.output).toContain(`Deployment ${before.agent} was not deleted, because the program still declares it.`);
  expect(next.output).toContain(`Thread ${before.session} was not deleted, because the program still declares it.`);
  expect(await ids()).toEqual(before);
});

test("a tainted deployment that is not young is kept, and with the option it is replaced", async () => {
  await world.emulator.clock.advance(3 * DAY_MS);
  const before = await ids();
  await stack.runOrThrow("state", "taint", urnOf("agent"), "--yes");
  expect((await fails(stack.up())).output).toContain(ADVICE);
  expect(await ids()).toEqual(before);

  await declare({ image: 3, name: "agent-dev", options: "{ deleteBeforeReplace: true }", byUrl: true });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const after = await ids();
  expect(after.agent).not.toBe(before.agent);
  expect(await world.deployments()).toMatchObject([{ id: after.agent }]);
});

test("another name replaces all that depends on the deployment, and its row says why", async () => {
  await declare({ image: 3, name: "second", byUrl: true });
  const run = await succeeds(stack.up());
  const replaced = ["agent", ...DEPENDENT].map((name) => `replace ${name}`);
  expect(steps(run)).toEqual(expect.arrayContaining(replaced));
  expect(messagesOf(run, "nightly")).toContainEqual(
    expect.stringMatching(/^restarts the export: sessionId \(its deployment gets another name\)/),
  );
});

test("a destroy after a replacement that failed deletes everything", async () => {
  await declare({ image: 3, name: "second" });
  expect((await stack.up("--replace", urnOf("session"))).code).not.toBe(0);
  expect(await stack.destroy("--run-program")).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
  expect((await stack.state()).deployment.resources ?? []).toEqual([]);
});

test("a component that the plugin constructs previews an image bump as one update", async () => {
  const service = await world.stack({ project: "constructed" });
  await service.program.usePlugin();
  const write = (image: string) =>
    service.program.file(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
      const deployment = { source: "external_docker", sourceRevisionConfig: { imageUri: "${image}" } };
      const args = { deployment, assistants: { main: { graphId: "echo" } }, thread: { metadata: { team: "a" } } };
      new pulumi.ComponentResource("agentgraph:index:AgentService", "support", args, {}, true);`,
    );
  await write("registry.example.com/support-agent:1.0.0");
  const created = ["create support", "create support", "create support-main", "create support-thread"];
  expect(steps(await succeeds(service.up())).sort()).toEqual(created);
  await write("registry.example.com/support-agent:1.1.0");
  const preview = await succeeds(service.preview());
  expect(steps(preview)).toEqual(["update support"]);
  expect(messagesOf(preview, "support").join()).toContain("new revision: imageUri 1.0.0 -> 1.1.0");
});
