/** One project a layer. `npm run check` runs "unit" and "emulator"; `npm test` runs "slow" and "e2e", too. */

// Times of services are UTC; on a machine in another zone a mistake about that shows.
process.env.TZ = "America/St_Johns";

const base = {
  testEnvironment: "node",
  // Exports write their files in a worker thread, which is started from what is built.
  globalSetup: "<rootDir>/test/support/run/setup.ts",
  globalTeardown: "<rootDir>/test/support/run/teardown.ts",
  // modern-tar is made of modules only, which Jest does not load by itself.
  transform: {
    "\\.ts$|/modern-tar/.*\\.js$": ["@swc/jest", { jsc: { target: "es2023", parser: { syntax: "typescript" } } }],
  },
  transformIgnorePatterns: ["/node_modules/(?!modern-tar/)"],
};

/** Seconds each, and seldom what a change breaks: whole matrices, random walks, what is made in processes of its own. */
const slow = [
  // Each request of each operation in each trouble.
  "/test/provider/resources/.*/failure-injection\\.test\\.ts$",
  // Random declarations through their whole life, random folders beside git, random values in files.
  "/test/provider/resources/.*/(properties|source-folder-tools)\\.test\\.ts$",
  "/emulator/test/bulk-export/parquet/values\\.test\\.ts$",
  // Whole programs and pages are compiled.
  "/test/cli/adopt/program\\.test\\.ts$",
  "/test/docs/(blocks|reference)\\.test\\.ts$",
  "/test/sdk/editor\\.test\\.ts$",
  // Random schedules of commands, faults and deaths.
  "/test/chaos/.*\\.test\\.ts$",
  // Each test starts the command, the scripts or the emulator, some of them several times.
  "/test/cli/(adopt/adopt|doctor/.*)\\.test\\.ts$",
  "/test/scripts/commands\\.test\\.ts$",
  "/emulator/test/(cli/(commands|client|process)|bulk-export/runs/crash-recovery)\\.test\\.ts$",
];

module.exports = {
  // A test that hangs is to end; one that has to share its machine is not to fail. Jest heeds it here alone.
  testTimeout: 60_000,
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
    { ...base, displayName: "e2e", testMatch: ["<rootDir>/test/e2e/**/*.test.ts"] },
  ],
};
