/** Every example runs as a user's project: type check, up, a refresh without drift, destroy. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { defaultTenantId } from "../../emulator/src";
import { definitions } from "../../provider/definitions";
import { ROOT } from "./support/checkout";
import { steps } from "./support/events";
import { Program } from "./support/program";
import { World } from "./support/world";

const world = new World();
const folder = join(ROOT, "examples");
/** Programs in TypeScript; e2e/languages runs the others. */
const examples = readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));
/** Those that are not run with `pulumi up` alone; each has its own test, or pipelines.test.ts runs it. */
const otherwiseTested = new Set(["automation", "ci", "policy-pack", "preview-environments", "promotion", "smoke-test"]);
/** The programs of an example, mostly one. */
const filesOf = (example: string) => readdirSync(join(folder, example)).filter((name) => /\.m?ts$/.test(name));
const sourceOf = (example: string) =>
  filesOf(example)
    .map((name) => readFileSync(join(folder, example, name), "utf8"))
    .join("\n");

/** Whether an example has a build step before `pulumi up`. */
const hasBuild = (example: string) =>
  JSON.parse(readFileSync(join(folder, example, "package.json"), "utf8")).scripts?.build !== undefined;

/** Creates a project with a run of an experiment, for the examples that export. */
async function project(): Promise<string> {
  const target = { project: "january", reference_dataset_id: "44444444-4444-4444-8444-444444444444" };
  const run = { name: "turn", start_time: "2026-01-15T12:00:00Z", is_root: true, error: "it failed" };
  return (await world.emulator.loadRuns(target, [run])).session_id;
}

/** Settings for the emulator's bucket. */
const bucket = () => {
  const { url: objectStore, accessKeyId, secretAccessKey } = world.emulator.bucket;
  return { bucket: "exports", objectStore, accessKeyId, secretAccessKey };
};
const day = (offset: number) => new Date(Date.now() + offset * 24 * 3_600_000).toISOString().slice(0, 10);
const [yesterday, tomorrow] = [() => day(-1), () => day(1)];

type Config = Record<string, string>;
/** Stack configuration that users of the example set. */
const settings: Record<string, Config | (() => Promise<Config>)> = {
  "agent-service": async () => ({ ...bucket(), since: yesterday() }),
  "container-image": {
    listenerId: "22222222-2222-4222-8222-222222222222",
    image: "registry.example.com/billing-agent:7.1.0",
    modelApiKey: "a-model-key",
  },
  "git-repository": { integrationId: "33333333-3333-4333-8333-333333333333", modelApiKey: "a-model-key" },
  "one-time-export": async () => ({ ...bucket(), projectId: await project() }),
  "nightly-export": async () => ({
    ...bucket(),
    since: yesterday(),
    image: "registry.example.com/support-agent:1.0.0",
  }),
  functions: async () => {
    const staging = { stagingWorkspace: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", stagingKey: "key-of-staging" };
    const { stagingWorkspace: id, stagingKey: key } = staging;
    const source_revision_config = { image_uri: "registry.example.com/support-agent:3.0.0" };
    await world.emulator.seed({
      ...{ workspaces: [{ id, name: "staging" }], keys: [{ key, workspaces: [id] }] },
      deployments: [{ name: "support-agent", tenant_id: id, source_revision_config }],
    });
    return { ...staging, controlPlaneUrl: world.url, cluster: "local-cluster" };
  },
  "experiments-export": async () => ({ ...bucket(), since: yesterday() }),
  "whole-story": async () => ({ ...bucket(), exportSince: yesterday(), exportUntil: tomorrow() }),
};

/** Copies of the examples, by name. */
const programs = new Map<string, Program>();
beforeAll(async () => {
  for (const example of examples)
    programs.set(example, await Program.copy(example, await world.createFolder(`examples/${example}`)));
});

// One compiler run for all examples takes a tenth of the time of a type check by the engine before each run.
test("the programs of all examples pass the type check of their projects", async () => {
  const [settings = "", ...others] = new Set(
    examples.map((name) => readFileSync(join(folder, name, "tsconfig.json"), "utf8")),
  );
  expect(others).toEqual([]);
  const { compilerOptions, files } = JSON.parse(settings);
  const project = {
    compilerOptions,
    files: [...programs.values()].flatMap(({ folder }) => files.map((file: string) => join(folder, file))),
  };
  const file = join(await world.createFolder("examples"), "tsconfig.json");
  await writeFile(file, JSON.stringify(project));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", file]).catch((failure) => failure);
  expect(stdout).toBe("");
});

test.each(examples.filter((example) => !otherwiseTested.has(example)))(
  "the example %s runs, shows no drift and is destroyed completely",
  async (example) => {
    const program = programs.get(example) as Program;
    if (hasBuild(example)) execFileSync("npm", ["run", "--silent", "build"], { cwd: program.folder });
    const name = `agentgraph-${example}`;
    const env = {
      ...{ AGENTGRAPH_TRACING_API_URL: world.url, AGENTGRAPH_TENANT_ID: defaultTenantId },
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
    const stack = await world.stack({ project: name, program, backend: `state-${example}`, env });
    const set = settings[example] ?? {};
    const config = Object.entries(typeof set === "function" ? await set() : set).flatMap(([key, value]) => [
      "-c",
      `${key}=${value}`,
    ]);

    const up = await stack.up(...config);
    expect(up).toMatchObject({ code: 0 });
    expect(steps(up)).toHaveLength(sourceOf(example).split(/new agentgraph\.(?!Provider)/).length - 1);
    expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await world.deployments()).toEqual([]);
  },
);

test("every program of an example stays under 40 lines", () => {
  for (const example of examples) {
    for (const name of filesOf(example)) {
      expect(readFileSync(join(folder, example, name), "utf8").split("\n").length).toBeLessThanOrEqual(40);
    }
  }
});

// Without its own compiler, the engine uses a TypeScript of 2020, which rejects these settings.
test("every example depends on the compiler version that its settings require", () => {
  const of = (path: string) => JSON.parse(readFileSync(path, "utf8")).devDependencies?.typescript;
  const ours = of(join(ROOT, "package.json"));
  for (const example of examples) expect([example, of(join(folder, example, "package.json"))]).toEqual([example, ours]);
});

test("every resource, and every source of a deployment, has an example", () => {
  const all = examples.map(sourceOf).join("\n");
  for (const { kind } of definitions) expect(all).toContain(`agentgraph.${kind}(`);
  for (const source of ["githost", "external_docker", "internal_docker", "internal_source", "internal_template"]) {
    expect(all).toContain(`source: "${source}"`);
  }
});
