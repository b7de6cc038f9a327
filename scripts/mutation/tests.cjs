/**
 * The tests of a mutation run, in Mocha. Jest would load all modules again for each mutant, which takes seconds; Mocha
 * loads them once, so that a mutant takes as long as the tests that reach it. MUTATION_TESTS lists the test files.
 */
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join, relative, sep } = require("node:path");
const { compile } = require("../../test/support/run/typescript.cjs");

const ROOT = process.cwd();
/** The first run, without a mutant, must succeed on a busy machine, too. */
const FIRST_TIMEOUT_MS = 600_000;
/** A mutant can stop a test from ending. A test may then take this long, or several times as long as in the first run. */
const TIMEOUT_MS = 5000;
const TIMEOUT_FACTOR = 5;
/** Properties run for each mutant that they reach. */
const PROPERTY_RUNS = 5;

process.env.TZ = "America/St_Johns";
process.env.NODE_ENV = "test";
afterEach(function () {
  const test = this.currentTest;
  if (test.state === "failed") moveToFront(test);
  else if (test.timeout() === FIRST_TIMEOUT_MS) {
    test.timeout(Math.max(TIMEOUT_MS, TIMEOUT_FACTOR * test.duration));
    // A change of the timeout starts its timer.
    test.clearTimeout();
  }
});
compileTypeScript();
defineJestFunctions();
limitProperties();
for (const file of process.env.MUTATION_TESTS.split(",")) {
  describe(file, () => {
    unloadTestCode();
    require(join(ROOT, file));
  });
}

function compileTypeScript() {
  const outputs = new Map();
  require.extensions[".ts"] = (module, filename) => {
    if (!outputs.has(filename)) outputs.set(filename, compile(readFileSync(filename, "utf8"), filename).code);
    module._compile(outputs.get(filename), filename);
  };
}

/** Defines the functions of Jest that the tests use, with those of Mocha. */
function defineJestFunctions() {
  const { before, after, describe, it } = globalThis;
  const fromPackages = createRequire(join(process.env.MUTATION_PACKAGES, "package.json"));
  const { bind } = fromPackages("jest-each");
  const { ModuleMocker } = fromPackages("jest-mock");
  const { expect } = fromPackages("expect");
  const withoutContext = (fn) => () => fn();
  const test = (title, fn) => it(title, withoutContext(fn)).timeout(FIRST_TIMEOUT_MS);
  const suite = (title, fn) => describe(title, withoutContext(fn));
  test.skip = it.skip;
  suite.skip = describe.skip;
  test.each = bind(test, false);
  suite.each = bind(suite, false);
  const hooks = {
    beforeAll: before,
    afterAll: after,
    beforeEach: globalThis.beforeEach,
    afterEach: globalThis.afterEach,
  };
  for (const [name, hook] of Object.entries(hooks))
    globalThis[name] = (fn) =>
      hook(function () {
        this.timeout(FIRST_TIMEOUT_MS);
        return fn();
      });
  const mocker = new ModuleMocker(globalThis);
  const jest = {
    setTimeout: () => {},
    spyOn: mocker.spyOn.bind(mocker),
    restoreAllMocks: () => mocker.restoreAllMocks(),
  };
  Object.assign(globalThis, { describe: suite, test, it: test, expect, jest });
}

/** A mutant ends with the first test that detects it, which often detects the next mutant, too. */
function moveToFront(item) {
  const { parent } = item;
  if (!parent) return;
  const siblings = item.suites ? parent.suites : parent.tests;
  siblings.unshift(...siblings.splice(siblings.indexOf(item), 1));
  moveToFront(parent);
}

/** Lets each property run a few times, with the same values each time: a mutant must not be detected by chance. */
function limitProperties() {
  const fastCheck = require("fast-check");
  const options = ({ seed = 1, ...rest } = {}) => ({ ...rest, seed, numRuns: PROPERTY_RUNS, endOnFailure: true });
  fastCheck.default = {
    ...fastCheck.default,
    assert: (property, parameters) => fastCheck.assert(property, options(parameters)),
  };
}

/** Gives each file its own instances of test support, which may add hooks to the file that loads it. */
function unloadTestCode() {
  for (const path of Object.keys(require.cache))
    if (relative(ROOT, path).split(sep).includes("test") && !path.includes("node_modules")) delete require.cache[path];
}
