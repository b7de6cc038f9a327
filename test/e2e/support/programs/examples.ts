/** The examples in TypeScript, and how users run them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { steps } from "../cli/events";
import { ROOT } from "../packages/checkout";
import type { World } from "../world";
import { PACKAGES } from "./other-providers";
import { Program } from "./program";

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
const sourceOf = (example: string) =>
  filesOf(example)
    .map((name) => readFileSync(join(EXAMPLES, example, name), "utf8"))
    .join("\n");

/** The stacks of examples that contain the configuration of theirs, and how many resources their services have. */
const stacks: Record<string, string> = { environments: "staging" };
const inServices: Record<string, number> = { customers: 3 };

/** Stack configuration that users of the example set. */
const settings: Record<string, Record<string, string>> = {
  esc: { image: "registry.example.com/support-agent:1.0.0", modelApiKey: "a-model-key" },
};

/** Runs an example as a user's project: up, a refresh without drift, destroy. */
export async function runExample(world: World, example: string): Promise<void> {
  const program = await Program.copy(example, await world.createFolder(`run/${example}`));
  const env = { ...world.tracing, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const project = `agentgraph-${example}`;
  const stack = await world.stack({ project, stack: stacks[example], program, backend: `state-${example}`, env });
  const config = Object.entries(settings[example] ?? {}).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

  const up = await stack.up(...config);
  expect(up).toMatchObject({ code: 0 });
  const declared = sourceOf(example).split(/new agentgraph\.(?!Provider)/).length - 1;
  expect(steps(up)).toHaveLength(declared + (inServices[example] ?? 0));
  expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
}
