/** One project a layer: `npm run check` runs all but the stories. */
const base = {
  testEnvironment: "node",
  transform: { "\\.ts$": ["@swc/jest", { jsc: { target: "es2023", parser: { syntax: "typescript" } } }] },
};

module.exports = {
  projects: [
    { ...base, displayName: "unit", testMatch: ["<rootDir>/test/**/*.test.ts"], testPathIgnorePatterns: ["/stories/"] },
    { ...base, displayName: "emulator", testMatch: ["<rootDir>/emulator/test/**/*.test.ts"] },
    { ...base, displayName: "stories", testMatch: ["<rootDir>/test/stories/**/*.test.ts"] },
  ],
};
