/** Runs every check of the repository. Static checks run in parallel; a failed check stops the following ones. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ready } from "../setup/index.mjs";
import { PRIVATE, ROOT, tool } from "../setup/paths.mjs";
import { attempt, show } from "../setup/run.mjs";
import { duration } from "../setup/step.mjs";
import type { OptionsOf } from "../tools/options.ts";
import { printSizes } from "./sizes.ts";

const SOURCES = ["sdk", "provider", "cli", "plugin", "emulator", "test", "scripts", "acceptance"].filter((folder) =>
  existsSync(join(ROOT, folder)),
);

/** What the checks of unchanged files found; with it, they take a third of the time. */
const cached = (name: string) => join(PRIVATE, "checks", name);

/** Checks the types of a project, named by its configuration. */
function types(name: string, project: string) {
  const file = cached(`${project.replaceAll("/", "-")}.tsbuildinfo`);
  return { name, program: "tsc", args: ["-p", project, "--incremental", "--tsBuildInfoFile", file] };
}

const CRUISE = ["--cache", cached("depcruise"), "--cache-strategy", "content", "--config", ".dependency-cruiser.js"];

const READING = [
  { name: "Format and lint", program: "biome", args: ["ci", "--colors=off", "."] },
  types("Types", "tsconfig.test.json"),
  types("Types of the scripts", "scripts/tsconfig.json"),
  types("Types of the acceptance suite", "acceptance/tsconfig.json"),
  types("Types of the page", "emulator/page/tsconfig.json"),
  { name: "Import rules", program: "depcruise", args: [...CRUISE, ...SOURCES] },
  { name: "Dead code", program: "knip", args: ["--cache", "--cache-location", cached("knip")] },
];

/** A group of tests. A command runs its group and all above. */
interface TestGroup {
  name: string;
  projects: string[];
  command: string;
}

/** The projects with a published agent server in place of the emulator's, of the versions in AGENT_SERVERS. */
const AGENT_SERVERS = ["python-dynamic", "python-plugin", "javascript-dynamic", "javascript-plugin"];

const TESTS: TestGroup[] = [
  { name: "Unit and emulator tests", projects: ["unit", "emulator"], command: "npm run check" },
  { name: "Slow and end-to-end tests", projects: ["operations", "slow", "plugin", "e2e"], command: "npm test" },
  { name: "Release tests", projects: ["release", "plugin-slow", ...AGENT_SERVERS], command: "npm run test:release" },
];

/** Workers often wait; a third one per two cores uses that time. Jest takes 150 % for 150 workers. */
const WORKERS = Math.ceil(availableParallelism() * 1.5);

export const usage = {
  command: "npm test",
  summary: "Sets up the checkout and checks a change. To run the tests of one file: npx jest <file>",
  options: {
    quick: { type: "boolean", meaning: "run only static checks and fast tests, like `npm run check`" },
    sizes: { type: "boolean", meaning: "only print how much there is of what must not grow; fails above its limits" },
    release: { type: "boolean", meaning: "run the release tests as well, like `npm run test:release`" },
    compatibility: {
      type: "boolean",
      meaning: "run only the tests of supported versions and systems, like `npm run compatibility`",
    },
  },
} as const;

/** Tests of what users install with the oldest and newest versions, another processor, and published servers. */
const COMPATIBILITY =
  "e2e/(packed|newest|languages/python)\\.release|/agent-servers/|/provider/(resources|functions)/|" +
  "/cli/(doctor|adopt)/";

/** `npm test`, and with one of the options the command that its meaning names. */
export async function main({
  sizes = false,
  quick = false,
  release = false,
  compatibility = false,
}: OptionsOf<typeof usage>) {
  if (compatibility) return runCompatibility();
  if (sizes) return printSizes(ROOT);
  const begin = Date.now();
  const count = quick ? 1 : release ? 3 : 2;
  // All random inputs instead of an eighth: test/support/run/runs.ts.
  const all = release ? { FUZZ_RUNS: "8", AGENT_SERVERS: "pinned" } : {};
  let failed: string | undefined;
  /** What needs no CLI, while it is built. */
  const meanwhile = async ({ env }: { env: NodeJS.ProcessEnv }) => {
    failed = (await read(env)) ?? (await runTests(TESTS.slice(0, 1), { ...all, ...env }));
  };
  const { env } = await ready({ cli: !quick, meanwhile });
  failed ??= await runTests(TESTS.slice(1, count), { ...all, ...env });
  if (failed) {
    console.log(`\nFAILED: ${failed}. The following checks were not run.`);
    return 1;
  }
  const skipped = TESTS.slice(count).map(({ name, command }) => `${name} (${command})`);
  const note = skipped.length === 0 ? "" : ` Not run: ${skipped.join(", ")}`;
  console.log(`\nAll ${READING.length + count} checks passed in ${duration(Date.now() - begin)}.${note}`);
  return 0;
}

async function runCompatibility() {
  const { env } = await ready({ cli: true });
  const { output } = await attempt("pulumi", ["version"], { env });
  console.log(`\nSupported versions and systems, with Pulumi CLI ${output.trim()}`);
  const args = ["--selectProjects", "release", ...AGENT_SERVERS, "--testPathPatterns", COMPATIBILITY];
  return show(tool("jest"), args, { cwd: ROOT, env: { ...env, AGENT_SERVERS: "newest" } });
}

/** Runs the static checks in parallel and reports them in order. Returns the names of those that failed. */
async function read(env: NodeJS.ProcessEnv) {
  const runs = READING.map(({ name, program, args }) => ({
    name,
    run: timed(attempt(tool(program), args, { cwd: ROOT, env })),
  }));
  const failed: string[] = [];
  for (const { name, run } of runs) {
    const { code, output, took } = await run;
    console.log(`${name}: ${code === 0 ? "passed" : "FAILED"} (${took})`);
    if (code === 0) continue;
    console.log(output);
    failed.push(name);
  }
  return failed.length > 0 ? failed.join(", ") : undefined;
}

/** Runs the groups of tests in sequence. Returns the name of the one that failed. */
async function runTests(tests: TestGroup[], env: NodeJS.ProcessEnv) {
  for (const { name, projects } of tests) {
    console.log(`\n${name}`);
    const args = ["--selectProjects", ...projects, `--maxWorkers=${WORKERS}`];
    const { code, took } = await timed(show(tool("jest"), args, { cwd: ROOT, env }).then((code) => ({ code })));
    console.log(`${name}: ${code === 0 ? "passed" : "FAILED"} (${took})`);
    if (code !== 0) return name;
  }
  return undefined;
}

async function timed<T extends object>(work: Promise<T>) {
  const begin = Date.now();
  const result = await work;
  return { ...result, took: duration(Date.now() - begin) };
}
