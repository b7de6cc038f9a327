/** One project a layer: `npm run check` runs all but the stories. */

// Times of services are UTC; on a machine in another zone a mistake about that shows.
process.env.TZ = "America/St_Johns";

const base = {
  testEnvironment: "node",
  // modern-tar is made of modules only, which Jest does not load by itself.
  transform: {
    "\\.ts$|/modern-tar/.*\\.js$": ["@swc/jest", { jsc: { target: "es2023", parser: { syntax: "typescript" } } }],
  },
  transformIgnorePatterns: ["/node_modules/(?!modern-tar/)"],
};

module.exports = {
  // Tests that run side by side give commands to the CLI, which keep more than one core busy.
  maxConcurrency: 2,
  projects: [
    { ...base, displayName: "unit", testMatch: ["<rootDir>/test/**/*.test.ts"], testPathIgnorePatterns: ["/stories/"] },
    {
      ...base,
      displayName: "emulator",
      testMatch: ["<rootDir>/emulator/test/**/*.test.ts"],
      globalSetup: "<rootDir>/emulator/test/build-worker.ts",
    },
    { ...base, displayName: "stories", testMatch: ["<rootDir>/test/stories/**/*.test.ts"] },
  ],
};
