/** `npm run mutation`: runs Stryker over each area and prints the score, and every mutant that survived. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ready } from "../setup/index.mjs";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { show } from "../setup/run.mjs";
import { ensureStryker } from "../setup/stryker.mjs";
import { AREAS, runsOf } from "./areas.mjs";
import { summarize } from "./summary.mjs";

const NAMES = Object.keys(AREAS);

export const usage = {
  command: "npm run mutation",
  summary:
    "Changes the source in many places, one at a time, and shows which changes no test detects. Repeated runs only test what changed since.",
  options: {
    area: { type: "string", form: "NAME", meaning: `${NAMES.join(", ")} (default: all)` },
    file: { type: "string", form: "PATH", meaning: "only this file of the area" },
    concurrency: { type: "string", form: "N", meaning: "tests that run at once (default: 1)" },
  },
};

export async function main({ area, file, concurrency = "1" }) {
  if (area !== undefined && !NAMES.includes(area))
    throw new Problem(`${area} is not an area. Use one of: ${NAMES.join(", ")}.`);
  const { node, env } = await ready({ cli: false });
  const packages = await ensureStryker(env);
  const program = join(packages, "@stryker-mutator/core/bin/stryker.js");
  const summaries = [];
  for (const name of area === undefined ? NAMES : [area]) {
    const runs = runsOf(name, file);
    if (runs.length === 0) throw new Problem(`${file} is not a file of the area ${name}.`);
    const reports = [];
    for (const [index, { mutate, tests }] of runs.entries()) {
      const path = join(PRIVATE, "mutation", `${name}-${index}`);
      const config = await writeConfig(path, { packages, mutate, concurrency: Number(concurrency) });
      const code = await show(node, [program, "run", config], {
        cwd: ROOT,
        env: { ...env, MUTATION_TESTS: tests.join() },
      });
      if (code !== 0) return code;
      reports.push(JSON.parse(await readFile(`${path}.json`, "utf8")));
    }
    summaries.push(summarize(name, reports));
  }
  console.log(summaries.join("\n"));
  return 0;
}

async function writeConfig(path, { packages, mutate, concurrency }) {
  const config = {
    plugins: [pathToFileURL(join(packages, "@stryker-mutator/jest-runner/dist/src/index.js")).href],
    testRunner: "jest",
    jest: { configFile: "scripts/mutation/jest.config.cjs", enableFindRelatedTests: false },
    mutate,
    ignorePatterns: ["/build", "/sdks", "/examples", "/docs/images"],
    coverageAnalysis: "perTest",
    // A constant of a module is evaluated once, so a mutant of it requires a separate process.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `${path}.incremental.json`,
    // Jest compiles with SWC, which does not read it; Stryker would require a compiler to rewrite it.
    tsconfigFile: "none",
    tempDirName: join(".agentgraph", "mutation", "sandbox"),
    timeoutMS: 30_000,
    concurrency,
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: `${path}.json` },
  };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.config.json`, JSON.stringify(config, undefined, 2));
  return `${path}.config.json`;
}
