/** `npm run mutation`: runs Stryker over each area and prints the score, and every mutant that survived. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ready } from "../setup/index.mjs";
import { ensureStryker } from "../setup/npm-packages.mjs";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { show } from "../setup/run.mjs";
import { AREAS, areaOf } from "./areas.mjs";
import { summarize } from "./summary.mjs";

const NAMES = Object.keys(AREAS);

export const usage = {
  command: "npm run mutation",
  summary:
    "Changes the source in many places, one at a time, and shows which changes no test detects. Constants of modules are not changed.",
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
    const { mutate, tests } = await areaOf(name);
    if (file !== undefined && !mutate.includes(file)) throw new Problem(`${file} is not a file of the area ${name}.`);
    const path = join(PRIVATE, "mutation", file === undefined ? name : `${name}-${basename(file, ".ts")}`);
    const config = await writeConfig(path, {
      packages,
      mutate: file === undefined ? mutate : [file],
      concurrency: Number(concurrency),
    });
    const variables = { MUTATION_TESTS: tests.join(), MUTATION_PACKAGES: packages };
    const code = await show(node, [program, "run", config], { cwd: ROOT, env: { ...env, ...variables } });
    if (code !== 0) return code;
    summaries.push(summarize(name, JSON.parse(await readFile(`${path}.json`, "utf8"))));
  }
  console.log(summaries.join("\n"));
  return 0;
}

async function writeConfig(path, { packages, mutate, concurrency }) {
  const config = {
    plugins: [pathToFileURL(join(packages, "@stryker-mutator/mocha-runner/dist/src/index.js")).href],
    testRunner: "mocha",
    mochaOptions: { spec: ["scripts/mutation/tests.cjs"] },
    mutate,
    ignorePatterns: ["/build", "/sdks", "/examples", "/docs/images"],
    coverageAnalysis: "perTest",
    // A constant of a module is evaluated once, so a mutant of it requires a separate process.
    ignoreStatic: true,
    // Only its options are read, not the paths in it, which Stryker would rewrite.
    tsconfigFile: "none",
    tempDirName: join(".agentgraph", "mutation", "sandbox"),
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 30,
    concurrency,
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: `${path}.json` },
  };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.config.json`, JSON.stringify(config, undefined, 2));
  return `${path}.config.json`;
}
