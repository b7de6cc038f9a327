/** Jest's configuration of a mutation run: the tests in MUTATION_TESTS, with the settings of the unit tests. */
const { join } = require("node:path");
const root = join(__dirname, "../..");
const { projects } = require("../../jest.config.js");

const { displayName: _, testMatch: __, ...unit } = projects.find(({ displayName }) => displayName === "unit");

module.exports = {
  ...unit,
  rootDir: root,
  testTimeout: 60_000,
  testMatch: process.env.MUTATION_TESTS?.split(",").map((pattern) => `<rootDir>/${pattern}`),
};
