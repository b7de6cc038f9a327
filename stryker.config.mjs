/**
 * Mutation tests: changes the source in many places, one at a time, and shows which changes no test detects.
 *
 * - `AREA=plan npm run mutation`: a whole area (default: plan)
 * - `AREA=plan npm run mutation -- --mutate provider/plan/diff.ts`: one file of it; all options of `stryker run` work
 * - `AREA=cron npm run mutation`: a kind of resource, by the name of its file
 */
import { existsSync } from "node:fs";
import jest from "./jest.config.js";

const RESOURCES = "test/provider/resources";
/** Tests of all resources, and of reads that know only an ID. */
const OF_ALL_RESOURCES = [`${RESOURCES}/all/**/*`, "test/provider/{engine/objects,objects/**}/*"];

/**
 * What is mutated, and the tests that must detect it: those of its folder, and those that use it most. Stryker would
 * run each test that imports a file, even indirectly, which takes minutes for a mutant of the provider.
 */
const AREAS = {
  plan: {
    mutate: ["provider/plan/*.ts", "provider/engine/inputs.ts"],
    tests: ["test/provider/plan/*", "test/provider/engine/**/*"],
  },
  http: {
    mutate: ["provider/http/*.ts", "provider/api/control-plane/upload-url.ts"],
    tests: ["test/provider/http/*", "test/provider/api/**/*"],
  },
  deployment: {
    mutate: [
      "provider/resources/deployment{.ts,/**/*.ts}",
      "provider/objects/server/endpoint.ts",
      "provider/api/control-plane/resource-spec*.ts",
    ],
    tests: [`${RESOURCES}/deployment/**/*`, "test/provider/api/control-plane/resource-spec", ...OF_ALL_RESOURCES],
  },
  thread: {
    mutate: ["provider/resources/{thread,assistant}{.ts,/*.ts}"],
    tests: [`${RESOURCES}/{thread,assistant}/*`, ...OF_ALL_RESOURCES],
  },
  // Servers assign the IDs of crons alone.
  objects: {
    mutate: ["provider/{engine/objects,objects/**}/*.ts"],
    tests: [`${RESOURCES}/{thread,assistant,cron}/*`, ...OF_ALL_RESOURCES],
  },
  adopt: {
    mutate: ["cli/adopt/{*,program/*}.ts"],
    tests: [
      "test/cli/adopt/{secrets,managed-projects,project}",
      "test/cli/adopt/program/*",
      `${RESOURCES}/all/adoption`,
    ],
  },
  telemetry: {
    mutate: ["provider/telemetry/*.ts"],
    tests: ["test/provider/telemetry/{exporter,request-log,steps,traces}"],
  },
  exports: {
    mutate: ["provider/resources/*bulk-export*{.ts,/*.ts}", "provider/resources/exports/*.ts"],
    tests: [`${RESOURCES}/{*bulk-export*,exports}/*`, ...OF_ALL_RESOURCES],
  },
  // Operators hold, force and seed rollouts, and the clock and a restart continue them.
  "control-plane": {
    mutate: ["emulator/src/control-plane/{*,model/*,rollout/*,sources/*}.ts"],
    tests: [
      "emulator/test/control-plane/**/*",
      "emulator/test/admin/{operations,seed/seed}",
      "emulator/test/runtime/{faults,scheduling/*}",
    ],
  },
  "bulk-exports": {
    mutate: ["emulator/src/bulk-export/{exports,destinations,runs}/*.ts"],
    tests: ["emulator/test/bulk-export/{*,{exports,destinations,runs}/*}"],
  },
  "agent-server": { mutate: ["emulator/src/agent-server/threads/*.ts"], tests: ["emulator/test/agent-server/**/*"] },
  validation: {
    mutate: ["emulator/src/{runtime/validation/*,http/validate-request}.ts"],
    tests: ["emulator/test/{runtime/**,http}/*"],
  },
};

/** A kind of resource without an area of its own. */
const areaOfKind = (name) => ({
  mutate: [`provider/resources/${name}{.ts,/*.ts}`],
  tests: [`${RESOURCES}/${name}/*`, ...OF_ALL_RESOURCES],
});

const { AREA = "plan" } = process.env;
const isKind = existsSync(`provider/resources/${AREA}.ts`);
if (!isKind && !Object.hasOwn(AREAS, AREA))
  throw new Error(`AREA must be a kind of resource, such as cron, or one of: ${Object.keys(AREAS).join(", ")}.`);
const { mutate, tests } = AREAS[AREA] ?? areaOfKind(AREA);

// Stryker supports no projects. What a test run sets up once, at the top of jest.config.js, it would set up again for
// each mutant.
const [{ displayName, ...unit }] = jest.projects;

export default {
  mutate,
  testRunner: "jest",
  jest: {
    // Contains no configuration of Jest; otherwise Stryker would add the one of jest.config.js.
    configFile: "package.json",
    config: {
      ...unit,
      testMatch: tests.map((pattern) => `<rootDir>/${pattern}.test.ts`),
      // Matrices and random sequences of the slow layer would take minutes for each mutant; its other tests detect
      // much. other-processes tests none of these areas, and loads the Pulumi SDK.
      testPathIgnorePatterns: [
        "\\.(e2e|release)\\.test\\.ts$",
        "/(failure-injection|hostile-responses|properties|random-requests|other-processes|values)\\.",
      ],
      testTimeout: jest.testTimeout,
    },
  },
  coverageAnalysis: "perTest",
  // A constant of a module is evaluated once, so all tests would run for a mutant of it.
  ignoreStatic: true,
  ignorePatterns: ["/build", "/sdk/go", "/sdk/python", "/examples", "/docs/images"],
  // Only its options are read, not the paths in it, which Stryker would rewrite.
  tsconfigFile: "none",
  tempDirName: ".agentgraph/mutation",
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 30,
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { allowColor: false, logTests: false, skipFull: true },
};
