/** One project per layer; scripts/checks/run.ts says which command runs which. */

// Servers use UTC. A local time zone that differs reveals code that mixes up the two.
process.env.TZ = "America/St_Johns";

const ES_MODULES = "modern-tar|age-encryption|@noble|@scure";

const base = {
  testEnvironment: "node",
  // Some packages contain only ES modules, which Jest cannot load without a transform.
  transform: { [`\\.ts$|/(${ES_MODULES})/.*\\.js$`]: "<rootDir>/test/support/run/typescript.cjs" },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES})/)`],
  moduleNameMapper: { "^fast-check$": "<rootDir>/test/support/run/fast-check.cjs" },
  // A killed mutation run leaves a copy of the checkout there.
  modulePathIgnorePatterns: ["<rootDir>/.agentgraph/"],
};

/** The layer of a test is in its file name, `<name>[.hosts].<layer>.test.ts`; that of the fast ones in its folder. */
const inLayer = (layer) => `\\.${layer}\\.test\\.ts$`;
const OPERATIONS =
  "(?<!emulator)/test/(cli|plugin|provider/(conversations|functions|objects|resources))/.*\\.test\\.ts$";
/** The tests that also the plugin passes with each change: what its protocol can alter. The others precede releases. */
const OF_PLUGIN = "/(all/(id-outputs|values/(outgoing-text|unusual-keys))|life)\\.hosts\\.test\\.ts$";
const LAYERS = ["slow", "e2e", "release"].map(inLayer);

/** These layers run the packages as users install them. */
const packed = {
  ...base,
  globalSetup: "<rootDir>/test/support/run/pack.ts",
  globalTeardown: "<rootDir>/test/support/run/unpack.ts",
};

/**
 * The tests of threads, assistants, crons and checks on the published agent servers, which replace that of the
 * emulator. The plugin runs the same lifecycle, so it repeats some. The server in JavaScript has no crons.
 */
const KINDS = { python: "thread|assistant|cron", javascript: "thread|assistant" };
const TESTS = { dynamic: ".*\\.hosts(\\.slow)?", plugin: "(life|create|drift|ownership)\\.hosts" };
const COMMANDS = "cli/doctor/agent-servers|cli/adopt/(kinds|unusual-keys)";
const agentServers = Object.entries(KINDS).flatMap(([server, kinds]) =>
  Object.entries(TESTS).map(([host, files]) => ({
    ...base,
    displayName: `${server}-${host}`,
    testRegex: [
      `/test/provider/resources/(${kinds})/${files}\\.test\\.ts$`,
      "/test/provider/objects/(create|life)\\.hosts\\.test\\.ts$",
      "/test/provider/resources/deployment/verify/agents\\.hosts\\.test\\.ts$",
      ...(host === "dynamic" ? ["/resources/all/failures/failure-injection\\.hosts\\.slow\\.test\\.ts$"] : []),
      ...(host === "dynamic" ? [`/test/(provider/functions/(${kinds})s|${COMMANDS})\\.test\\.ts$`] : []),
    ],
    testEnvironment: "<rootDir>/test/support/agent-servers/environment.ts",
    globals: { AGENT_SERVER: server, RESOURCE_HOST: host },
  })),
);

module.exports = {
  globalSetup: "<rootDir>/test/support/run/setup.ts",
  globalTeardown: "<rootDir>/test/support/run/teardown.ts",
  // Long enough for a busy machine, short enough to end a test that hangs. Jest ignores this option inside projects.
  testTimeout: 180_000,
  // When its event loop is empty, a worker frees hundreds of megabytes, which takes seconds on a busy machine. A test
  // that leaves something open still keeps its worker alive, and is reported after this time.
  workerGracefulExitTimeout: 30_000,
  testSequencer: "<rootDir>/test/support/run/longest-first.cjs",
  projects: [
    {
      ...base,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: [...LAYERS, OPERATIONS],
    },
    {
      ...base,
      displayName: "emulator",
      testMatch: ["<rootDir>/emulator/test/**/*.test.ts"],
      testPathIgnorePatterns: LAYERS,
    },
    // Whole operations of resources, functions and commands.
    { ...base, displayName: "operations", testRegex: OPERATIONS, testPathIgnorePatterns: LAYERS },
    // Tests that take seconds each and rarely fail alone: complete matrices, random sequences, separate processes.
    { ...base, displayName: "slow", testRegex: inLayer("slow") },
    // The life of each kind of resource, and what all kinds share, also through the native plugin over gRPC.
    // test/support/hosts/plugin-host.ts says what differs from the host of dynamic resources.
    { ...base, displayName: "plugin", testRegex: OF_PLUGIN, globals: { RESOURCE_HOST: "plugin" } },
    // The real engine and CLI.
    { ...packed, displayName: "e2e", testRegex: inLayer("e2e") },
    // Packaging, documents, other languages and versions: what changes rarely, and long random runs.
    { ...packed, displayName: "release", testRegex: inLayer("release") },
    // The other tests through the plugin, which runs the same lifecycle.
    {
      ...base,
      displayName: "plugin-slow",
      testRegex: "\\.hosts(\\.slow)?\\.test\\.ts$",
      testPathIgnorePatterns: [OF_PLUGIN],
      globals: { RESOURCE_HOST: "plugin" },
    },
    // Pinned or newest, as the variable says. Without it, one file of tests runs without servers of others.
    ...(process.env.AGENT_SERVERS ? agentServers : []),
  ],
};
