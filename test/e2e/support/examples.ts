/** The examples in TypeScript, and how users run them. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultTenantId } from "../../../emulator/src";
import { ROOT } from "./checkout";
import { steps } from "./events";
import { PACKAGES } from "./other-providers";
import { Program } from "./program";
import type { World } from "./world";

export const EXAMPLES = join(ROOT, "examples");
const manifestOf = (example: string) => JSON.parse(readFileSync(join(EXAMPLES, example, "package.json"), "utf8"));
const dependenciesOf = (example: string): object => manifestOf(example).dependencies;
/** Programs in TypeScript; e2e/languages runs the others. */
export const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "package.json")));
/** Those that also use other providers: other-providers.release.test.ts checks and runs them with the packages. */
export const withOtherProviders = examples.filter((example) =>
  PACKAGES.some((name) => name in dependenciesOf(example)),
);
/** The programs of an example, mostly one. */
export const filesOf = (example: string) => readdirSync(join(EXAMPLES, example)).filter((name) => /\.m?ts$/.test(name));
export const sourceOf = (example: string) =>
  filesOf(example)
    .map((name) => readFileSync(join(EXAMPLES, example, name), "utf8"))
    .join("\n");

/** Whether an example has a build step before `pulumi up`. */
const hasBuild = (example: string) => manifestOf(example).scripts?.build !== undefined;

/** Creates a project with a run of an experiment, for the examples that export. */
async function project(world: World): Promise<string> {
  const target = { project: "january", reference_dataset_id: "44444444-4444-4444-8444-444444444444" };
  const run = { name: "turn", start_time: "2026-01-15T12:00:00Z", is_root: true, error: "it failed" };
  return (await world.emulator.loadRuns(target, [run])).session_id;
}

/** Settings for the emulator's bucket. */
const bucket = (world: World) => {
  const { url: objectStore, accessKeyId, secretAccessKey } = world.emulator.bucket;
  return { bucket: "exports", objectStore, accessKeyId, secretAccessKey };
};
const day = (offset: number) => new Date(Date.now() + offset * 24 * 3_600_000).toISOString().slice(0, 10);
const [yesterday, tomorrow] = [() => day(-1), () => day(1)];

/** The stacks of examples that contain the configuration of theirs, and how many resources their services have. */
const stacks: Record<string, string> = { environments: "staging" };
const inServices: Record<string, number> = { customers: 3, "nightly-export": 3 };

type Config = Record<string, string>;
/** Stack configuration that users of the example set. */
const settings: Record<string, Config | ((world: World) => Promise<Config>)> = {
  "container-image": {
    listenerId: "22222222-2222-4222-8222-222222222222",
    image: "registry.example.com/billing-agent:7.1.0",
    modelApiKey: "a-model-key",
  },
  esc: { image: "registry.example.com/support-agent:1.0.0", modelApiKey: "a-model-key" },
  "git-repository": { integrationId: "33333333-3333-4333-8333-333333333333", modelApiKey: "a-model-key" },
  "one-time-export": async (world) => ({ ...bucket(world), projectId: await project(world) }),
  "nightly-export": async (world) => ({
    ...bucket(world),
    since: yesterday(),
    image: "registry.example.com/support-agent:1.0.0",
  }),
  "nightly-cron": { image: "registry.example.com/support-agent:1.0.0", graph: "echo" },
  functions: async (world) => {
    const staging = { stagingWorkspace: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", stagingKey: "key-of-staging" };
    const { stagingWorkspace: id, stagingKey: key } = staging;
    const source_revision_config = { image_uri: "registry.example.com/support-agent:3.0.0" };
    await world.emulator.seed({
      ...{ workspaces: [{ id, name: "staging" }], keys: [{ key, workspaces: [id] }] },
      deployments: [{ name: "support-agent", tenant_id: id, source_revision_config }],
    });
    return { ...staging, controlPlaneUrl: world.url, cluster: "local-cluster" };
  },
  "experiments-export": async (world) => ({ ...bucket(world), since: yesterday() }),
  "whole-story": async (world) => ({ ...bucket(world), exportSince: yesterday(), exportUntil: tomorrow() }),
};

/** Runs an example as a user's project: up, a refresh without drift, destroy. */
export async function runExample(world: World, example: string): Promise<void> {
  const program = await Program.copy(example, await world.createFolder(`run/${example}`));
  if (hasBuild(example)) execFileSync("npm", ["run", "--silent", "build"], { cwd: program.folder });
  const env = {
    ...{ AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId },
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  };
  const project = `agentgraph-${example}`;
  const stack = await world.stack({ project, stack: stacks[example], program, backend: `state-${example}`, env });
  const set = settings[example] ?? {};
  const config = Object.entries(typeof set === "function" ? await set(world) : set).flatMap(([key, value]) => [
    "-c",
    `${key}=${value}`,
  ]);

  const up = await stack.up(...config);
  expect(up).toMatchObject({ code: 0 });
  const declared = sourceOf(example).split(/new agentgraph\.(?!Provider)/).length - 1;
  expect(steps(up)).toHaveLength(declared + (inServices[example] ?? 0));
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
}
