/** What is mutated, and which tests must detect it: those of its folder, and those that use it most. */

import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";

const RESOURCES = "test/provider/resources";
/** Tests of all resources, and of reads that know only an ID. */
const OF_ALL_RESOURCES = [`${RESOURCES}/all/*.test.ts`, "test/provider/engine/*read.test.ts"];

/** Sources and their tests: patterns of Git, relative to the root of the checkout. */
export const AREAS = {
  plan: {
    sources: ["provider/plan/*.ts"],
    tests: ["test/provider/plan/*.test.ts", "test/provider/engine/*.test.ts"],
  },
  http: {
    sources: ["provider/http/*.ts"],
    tests: ["test/provider/http/*.test.ts", "test/provider/api/**/*.test.ts"],
  },
  deployment: {
    sources: [
      "provider/resources/deployment.ts",
      "provider/resources/deployment/**/*.ts",
      "provider/resources/shared/not-found.ts",
      "provider/api/control-plane/resource-spec*.ts",
    ],
    tests: [
      `${RESOURCES}/deployment/**/*.test.ts`,
      "test/provider/api/control-plane/resource-spec.test.ts",
      ...OF_ALL_RESOURCES,
    ],
  },
  thread: {
    sources: ["provider/resources/thread.ts", "provider/resources/thread/*.ts"],
    tests: [`${RESOURCES}/thread/*.test.ts`, ...OF_ALL_RESOURCES],
  },
  exports: {
    sources: [
      "provider/resources/*bulk-export*.ts",
      "provider/resources/*bulk-export*/*.ts",
      "provider/resources/shared/bulk-exports/*.ts",
      "provider/resources/shared/[!n]*.ts",
    ],
    tests: [`${RESOURCES}/*bulk-export*/*.test.ts`, `${RESOURCES}/shared/**/*.test.ts`, ...OF_ALL_RESOURCES],
  },
  "control-plane": {
    sources: [
      "emulator/src/control-plane/*.ts",
      "emulator/src/control-plane/model/*.ts",
      "emulator/src/control-plane/rollout/*.ts",
      "emulator/src/control-plane/sources/*.ts",
    ],
    // Operators hold, force and seed rollouts, and the clock and a restart continue them.
    tests: [
      "emulator/test/control-plane/**/*.test.ts",
      "emulator/test/admin/operations.test.ts",
      "emulator/test/admin/seed/seed.test.ts",
      "emulator/test/runtime/faults.test.ts",
      "emulator/test/runtime/scheduling/*.test.ts",
    ],
  },
  "bulk-exports": {
    sources: [
      "emulator/src/bulk-export/exports/*.ts",
      "emulator/src/bulk-export/destinations/*.ts",
      "emulator/src/bulk-export/runs/*.ts",
    ],
    tests: [
      "emulator/test/bulk-export/*.test.ts",
      ...["destinations", "exports", "runs"].map((folder) => `emulator/test/bulk-export/${folder}/*.test.ts`),
    ],
  },
  "agent-server": {
    sources: ["emulator/src/agent-server/threads/*.ts"],
    tests: ["emulator/test/agent-server/**/*.test.ts"],
  },
  validation: {
    sources: ["emulator/src/runtime/validation/*.ts", "emulator/src/http/validate-request.ts"],
    tests: ["emulator/test/runtime/**/*.test.ts", "emulator/test/http/*.test.ts"],
  },
};

/** Tests of complete matrices, random values, large bodies and processes, which take seconds each. */
const SLOW =
  /(failure-injection|hostile-responses|random-requests|properties|source-folder-tools|crash-recovery|upload-size|build\/tar|parquet\/values)\.test\.ts$/;

/** Returns the files of an area to mutate, and the tests that must detect it. */
export async function areaOf(name) {
  const { sources, tests } = AREAS[name];
  return { mutate: await files(sources), tests: (await files(tests)).filter((path) => !SLOW.test(path)) };
}

async function files(patterns) {
  const globs = patterns.map((pattern) => `:(glob)${pattern}`);
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", ...globs];
  return (await run("git", args, { cwd: ROOT, failed: "Git could not list the files" })).trim().split("\n");
}
