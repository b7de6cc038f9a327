/** One project per layer. `npm run check` runs "unit" and "emulator"; `npm test` also runs "slow", "plugin" and "e2e". */

// Servers use UTC. A local time zone that differs reveals code that mixes up the two.
process.env.TZ = "America/St_Johns";

const base = {
  testEnvironment: "node",
  globalSetup: "<rootDir>/test/support/run/setup.ts",
  globalTeardown: "<rootDir>/test/support/run/teardown.ts",
  // modern-tar contains only ES modules, which Jest cannot load without a transform.
  transform: { "\\.ts$|/modern-tar/.*\\.js$": "<rootDir>/test/support/run/typescript.cjs" },
  transformIgnorePatterns: ["/node_modules/(?!modern-tar/)"],
  // A killed mutation run leaves a copy of the checkout there.
  modulePathIgnorePatterns: ["<rootDir>/.agentgraph/"],
};

/** Tests that take seconds each and rarely fail alone: complete matrices, random sequences, separate processes. */
const slow = [
  // Every request of every operation under every failure.
  "/test/provider/resources/.*/failure-injection\\.test\\.ts$",
  // Random and very large requests.
  "/test/plugin/bad-input\\.test\\.ts$",
  // Random and hostile responses and requests.
  "/test/(cli|provider)/.*hostile-responses\\.test\\.ts$",
  "/emulator/test/(http|bucket)/random-requests\\.test\\.ts$",
  // Random declarations through their whole life, random folders compared with git, random values in files.
  "/test/provider/resources/.*/(properties|source-folder-tools)\\.test\\.ts$",
  "/emulator/test/bulk-export/parquet/values\\.test\\.ts$",
  // SDKs of other languages are generated, packed and type-checked.
  "/test/sdks/.*\\.test\\.ts$",
  // Compiled programs and pages.
  "/test/cli/adopt/program/.*\\.test\\.ts$",
  "/test/docs/(blocks|website)\\.test\\.ts$",
  "/test/plugin/schema/check\\.test\\.ts$",
  "/test/sdk/(editor|api-report)\\.test\\.ts$",
  // A browser is installed, processes load the whole Pulumi SDK, and all sources are compiled.
  "/test/support/run/(browser|lazy-sdk|typescript)\\.test\\.ts$",
  // Files of up to 200 MiB, and comments on thousands of changes.
  "/test/.*-size\\.test\\.ts$",
  // Random sequences of commands, faults and killed runs.
  "/test/chaos/.*\\.test\\.ts$",
  // Each test starts a command, a script or the emulator, some of them several times.
  "/test/cli/(adopt/(adopt|team)|doctor/.*)\\.test\\.ts$",
  "/test/scripts/(commands|up|plugin|release)\\.test\\.ts$",
  "/emulator/test/(cli/(commands|client|process)|bulk-export/runs/crash-recovery)\\.test\\.ts$",
];

/**
 * Tests that also run through the native plugin over gRPC: the life of each kind of resource, and what it must not lose.
 * test/support/plugin/host.ts says what differs from the host of dynamic resources.
 */
const everyHost = [
  "/test/provider/resources/all/.*\\.test\\.ts$",
  "/test/provider/resources/.*/(life|failure-injection|create|equivalent|readiness|restart)\\.test\\.ts$",
  "/test/provider/resources/deployment/(options|ownership|taken-names|name-changes)\\.test\\.ts$",
  "/test/provider/resources/thread/server-mismatch\\.test\\.ts$",
];

module.exports = {
  // Long enough for a busy machine, short enough to end a test that hangs. Jest ignores this option inside projects.
  testTimeout: 60_000,
  testSequencer: "<rootDir>/test/support/run/longest-first.cjs",
  projects: [
    {
      ...base,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["/test/e2e/", ...slow],
    },
    {
      ...base,
      displayName: "emulator",
      testMatch: ["<rootDir>/emulator/test/**/*.test.ts"],
      testPathIgnorePatterns: slow,
    },
    { ...base, displayName: "slow", testRegex: slow },
    { ...base, displayName: "plugin", testRegex: everyHost, globals: { RESOURCE_HOST: "plugin" } },
    { ...base, displayName: "e2e", testMatch: ["<rootDir>/test/e2e/**/*.test.ts"] },
  ],
};
