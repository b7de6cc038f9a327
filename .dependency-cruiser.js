/** Forbidden imports: they go one way, sdk -> provider -> provider/api -> provider/http. */
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
/** Packages of the Pulumi SDK, and what is in the published packages. */
const PULUMI = "node_modules/(@pulumi|@grpc|google-protobuf)/";
const SHIPPED = "^(sdk|provider|cli|plugin|emulator/src)/";

/**
 * The folders of emulator/src/, with the folders that each may import: first runtime/, then http/, which executes
 * routes that the features define, then the features, and admin/ at the top. A deployment has a tracing project, and
 * agents run what is stored; features learn of what happens in others by events.
 */
const FEATURE_IMPORTS = {
  "control-plane": ["tracing"],
  "bulk-export": ["tracing"],
  "agent-server": ["control-plane", "tracing"],
  agents: ["control-plane", "agent-server", "tracing"],
};
const features = readdirSync(join(__dirname, "emulator/src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["runtime", "http", "admin", "cli"].includes(entry.name))
  .map(({ name }) => name);
const BELOW_IN_EMULATOR = {
  runtime: [],
  http: ["runtime"],
  ...Object.fromEntries(features.map((name) => [name, ["runtime", "http", ...(FEATURE_IMPORTS[name] ?? [])]])),
  admin: ["runtime", "http", ...features],
};

/** Returns the files of each resource: the one in definitions.ts, and helpers in its folder or with its prefix. */
function kinds() {
  const list = readFileSync(join(__dirname, "provider/definitions.ts"), "utf8");
  const names = [...list.matchAll(/"\.\/resources\/([\w-]+)/g)].map(([, name]) => name);
  const longest = (file) =>
    names.filter((name) => file === name || file.startsWith(`${name}-`)).sort((a, b) => b.length - a.length)[0] ?? file;
  const files = readdirSync(join(__dirname, "provider/resources")).map((file) => file.replace(/\.ts$/, ""));
  const owned = Object.groupBy([...new Set(files)], longest);
  return Object.values(owned).map((own) => own.map((file) => `^provider/resources/${file}(\\.ts$|/)`));
}

/** The folders of provider/, from top to bottom, with the folders that each may import. */
const BELOW = {
  conversations: ["api", "http", "text"],
  engine: ["plan", "definition", "api", "telemetry", "settings", "schema", "http", "text"],
  plan: ["definition", "schema", "text"],
  resources: ["objects", "definition", "conversations", "api", "schema", "http", "text"],
  objects: ["definition", "api", "schema", "http", "text"],
  components: [],
  definition: ["api", "telemetry", "settings", "schema", "http", "text"],
  functions: ["api", "telemetry", "settings", "schema", "http", "text"],
  api: ["settings", "schema", "http", "text"],
  telemetry: ["settings", "http", "text"],
  settings: ["schema", "http", "text"],
  schema: ["text"],
  http: ["text"],
  text: [],
};

const rules = [
  {
    name: "no-circle",
    comment: "Files in a cycle cannot be understood one by one, even if only types are involved.",
    from: {},
    to: { circular: true },
  },
  {
    name: "sdk-stays-light",
    comment: "Every preview loads the SDK: of the provider, it may import types and names of settings only.",
    from: { path: "^sdk/", pathNot: "^sdk/nodejs/function\\.ts$" },
    to: {
      path: "^(provider|cli)/|node_modules/(zod|undici|dataloader)/",
      pathNot: [
        "^provider/(components/agent-service|definition/type-token|settings/(servers|setting-issues))\\.ts$",
        "^provider/text/(container-id|did-you-mean|property-path|version)\\.ts$",
      ],
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "functions-by-one-entry",
    comment:
      "The functions are loaded with the first call, through their index; test/sdk/modules/load.slow.test.ts checks that.",
    from: { path: "^sdk/nodejs/function\\.ts$" },
    to: { path: "^(provider|cli)/|node_modules/(zod|undici|dataloader)/", pathNot: "^provider/functions/index\\.ts$" },
  },
  {
    name: "provider-not-sdk",
    comment: "The provider runs in the engine's host, without the program.",
    from: { path: "^provider/" },
    to: { path: "^(sdk|cli)/" },
  },
  {
    name: "cli-limited-sdk",
    comment: "The CLI uses the provider, and from the SDK only preflight checks, the stub and setting keys.",
    from: { path: "^cli/" },
    to: { path: "^sdk/", pathNot: "^sdk/nodejs/(setting-keys|stub|preflight)\\.ts$" },
  },
  {
    name: "nothing-imports-cli",
    comment: "Neither programs nor the provider's host load commands.",
    from: { pathNot: "^(cli|test)/" },
    to: { path: "^cli/" },
  },
  {
    name: "plugin-uses-provider",
    comment: "The plugin loads what it shares with the SDK with the first component; of the CLI, it uses nothing.",
    from: { path: "^plugin/", pathNot: "^plugin/component/" },
    to: { path: "^(sdk|cli)/" },
  },
  {
    name: "components-use-little-sdk",
    comment: "What serves a component uses its composition, the native classes, and what reads Outputs.",
    from: { path: "^plugin/component/" },
    to: { path: "^(sdk|cli)/", pathNot: "^sdk/nodejs/(components/|native/index\\.ts$|shared/outputs\\.ts$)" },
  },
  {
    name: "nothing-imports-plugin",
    comment: "The plugin runs in a process of its own, which neither programs nor commands load.",
    from: { pathNot: "^(plugin|test)/" },
    to: { path: "^plugin/" },
  },
  {
    name: "subcommands-independent",
    comment: "A subcommand is one file of commands/ and a folder of the same name; main.ts lists them.",
    from: { path: "^cli/(?:commands/)?(\\w+)(\\.ts$|/)", pathNot: "^cli/main\\.ts$" },
    to: { path: "^cli/(?!(shared|conversations)/)", pathNot: "^cli/$1/" },
  },
  ...Object.entries(BELOW).map(([folder, below]) => ({
    name: `provider-${folder}`,
    comment: `provider/${folder}/ may import only the folders below it: ${below.join(", ") || "none"}.`,
    from: { path: `^provider/${folder}/` },
    to: { path: "^provider/", pathNot: [folder, ...below].map((allowed) => `^provider/${allowed}/`) },
  })),
  {
    name: "provider-root",
    comment: "index.ts and definitions.ts list the kinds; the folders of the provider do not import them.",
    from: { path: "^provider/[^/]+/" },
    to: { path: "^provider/[^/]+$" },
  },
  {
    name: "shared-not-kinds",
    comment: "Code that several kinds share does not depend on a kind.",
    from: { path: "^provider/resources/exports/" },
    to: { path: "^provider/resources/", pathNot: "^provider/resources/exports/" },
  },
  ...kinds().map((files) => ({
    name: "resources-independent",
    comment: "A kind imports only its own helpers and shared code, so that it changes independently.",
    from: { path: files },
    to: { path: "^provider/resources/", pathNot: [...files, "^provider/resources/exports/"] },
  })),
  {
    name: "pulumi-at-the-edge",
    comment:
      "Definitions serve every host: only provider/engine/ and the traces that it asks for depend on the " +
      "Pulumi engine.",
    from: { path: "^(provider|cli)/", pathNot: "^provider/(engine|telemetry)/" },
    to: { path: PULUMI },
  },
  {
    name: "undici-in-http-client",
    comment: "Every request goes through one HTTP client, which loads undici with the first request.",
    from: { path: "^(sdk|provider|cli|plugin)/", pathNot: "^provider/http/" },
    to: { path: "node_modules/undici/" },
  },
  {
    name: "emulator-not-provider",
    comment:
      "Two independent implementations of the interface cannot hide each other's mistakes. Recordings are of " +
      "neither: other servers made them.",
    from: { path: "^emulator/", pathNot: "^emulator/test/(support/recordings/|agent-server/recordings\\.test)" },
    to: { path: "^(sdk|provider|cli|plugin|scripts|test|examples)/" },
  },
  {
    name: "provider-not-emulator",
    comment: "The other direction of the same rule.",
    from: { path: "^(sdk|provider|cli|plugin)/" },
    to: { path: "^emulator/|node_modules/pulumi-agentgraph-emulator/" },
  },
  {
    name: "emulator-page-packages",
    comment: "The page contains three small packages, and of the emulator only the table of faults and types.",
    from: { path: "^emulator/page/", pathNot: "^emulator/page/build\\.mjs$" },
    to: {
      path: "node_modules/(?!(preact|eventsource-parser|diff)/)|^emulator/src/(?!runtime/(fault-fields|descriptions)\\.ts$)",
    },
  },
  ...Object.entries(BELOW_IN_EMULATOR).map(([folder, below]) => ({
    name: `emulator-${folder}`,
    comment: `emulator/src/${folder}/ may import only: ${below.join(", ") || "none"}.`,
    from: { path: `^emulator/src/${folder}/` },
    to: { path: "^emulator/src/", pathNot: [folder, ...below].map((allowed) => `^emulator/src/${allowed}/`) },
  })),
  {
    name: "emulator-cli-at-the-top",
    comment: "Starting an emulator from a program does not load the command line.",
    from: { path: "^emulator/src/[^/]+$", pathNot: "^emulator/src/main\\.ts$" },
    to: { path: "^emulator/src/cli/" },
  },
  {
    name: "acceptance-by-its-own-means",
    comment: "What judges a server shares no code with the provider and the emulator.",
    from: { path: "^acceptance/" },
    to: { path: "^(sdk|provider|cli|plugin|emulator|test)/" },
  },
  {
    name: "acceptance-statements",
    comment: "A check of a statement needs a server and HTTP, and no engine.",
    from: { path: "^acceptance/statements/" },
    to: { path: "^acceptance/", pathNot: "^acceptance/(statements/|target/http\\.ts$)" },
  },
  {
    name: "no-unpublished-code",
    comment: "Tests, scripts and examples are not in the packages.",
    from: { path: SHIPPED },
    to: { path: "^(test|scripts|examples|toolchain|acceptance|emulator/test)/" },
  },
  {
    name: "no-development-package",
    comment: "Users do not install development dependencies, except for peers. The plugin bundles its packages.",
    from: { path: SHIPPED, pathNot: "^plugin/" },
    to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm-peer", "type-only"] },
  },
  {
    name: "no-unlisted-package",
    comment: "A package that package.json does not list may be missing for users, or of another version.",
    from: { path: SHIPPED },
    to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"], dependencyTypesNot: ["type-only"] },
  },
  {
    name: "no-dangling-import",
    comment:
      "An import that cannot be resolved would escape every other rule. Published servers load the graphs of " +
      "the recordings.",
    from: { pathNot: "^scripts/record/graphs/" },
    to: { couldNotResolve: true },
  },
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: rules.map((rule) => ({ severity: "error", ...rule })),
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.test.json" },
    doNotFollow: { path: "node_modules" },
    // VitePress, which is not installed here, loads its settings itself.
    exclude: { path: "(^|/)dist/|^scripts/docs/vitepress/" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["node", "require", "types"] },
  },
};
