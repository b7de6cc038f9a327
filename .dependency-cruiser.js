/**
 * Imports go one way: sdk -> provider -> provider/api -> provider/http. docs/design-decisions.md says why.
 * Every rule names what is forbidden; what no rule names is allowed.
 */

const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

/** Packages that come with the SDK of Pulumi. */
const PULUMI = "node_modules/(@pulumi|@grpc|google-protobuf)/";
/** Code that users install. */
const SHIPPED = "^(sdk|provider|cli|emulator/src)/";

/** The files of each resource: provider/definitions.ts names the main one; helpers share its folder or begin with its name. */
function kinds() {
  const list = readFileSync(join(__dirname, "provider/definitions.ts"), "utf8");
  const names = [...list.matchAll(/"\.\/resources\/([\w-]+)/g)].map(([, name]) => name);
  const longest = (file) =>
    names.filter((name) => file === name || file.startsWith(`${name}-`)).sort((a, b) => b.length - a.length)[0] ?? file;
  const entries = readdirSync(join(__dirname, "provider/resources")).filter((file) => file !== "shared");
  const files = entries.map((file) => file.replace(/\.ts$/, ""));
  const owned = Object.groupBy([...new Set(files)], longest);
  return Object.values(owned).map((own) => own.map((file) => `^provider/resources/${file}(\\.ts$|/)`));
}

/** The folders of provider/, from the top to the bottom: each may know those that stand beside its name. */
const BELOW = {
  engine: ["plan", "definition", "api", "settings", "schema", "http", "text"],
  plan: ["definition", "schema", "text"],
  resources: ["definition", "api", "schema", "http", "text"],
  definition: ["api", "settings", "schema", "http", "text"],
  functions: ["api", "settings", "schema", "http", "text"],
  api: ["settings", "schema", "http", "text"],
  settings: ["schema", "http", "text"],
  schema: ["text"],
  http: ["text"],
  text: [],
};

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circle",
      comment: "Files that need each other cannot be read one by one, not even when only their types do.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "sdk-stays-light",
      comment:
        "A program loads the sdk at every preview: of the provider it may know types and names of settings, and it never loads zod or undici.",
      severity: "error",
      from: { path: "^sdk/", pathNot: "^sdk/function\\.ts$" },
      to: {
        path: "^(provider|cli)/|node_modules/(zod|undici|dataloader)/",
        pathNot: "^provider/(text/did-you-mean|settings/servers)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "functions-by-one-entry",
      comment:
        "The functions are loaded with the first call, by their entry alone; test/sdk/load.test.ts checks that they are not loaded sooner.",
      severity: "error",
      from: { path: "^sdk/function\\.ts$" },
      to: {
        path: "^(provider|cli)/|node_modules/(zod|undici|dataloader)/",
        pathNot: "^provider/functions/index\\.ts$",
      },
    },
    {
      name: "provider-knows-no-sdk",
      comment: "The provider runs in the engine's host, without the program that declared the resources.",
      severity: "error",
      from: { path: "^provider/" },
      to: { path: "^(sdk|cli)/" },
    },
    {
      name: "cli-beside-the-rest",
      comment:
        "The command reads what the provider knows, and of the sdk only the rules by which a program finds the package, a state its provider, and settings their names. Nothing needs the command.",
      severity: "error",
      from: { path: "^cli/" },
      to: { path: "^sdk/", pathNot: "^sdk/(setting-keys|stub|preflight)\\.ts$" },
    },
    {
      name: "nothing-needs-the-cli",
      comment: "A program that declares resources, and the host of them, load no command.",
      severity: "error",
      from: { pathNot: "^(cli|test)/" },
      to: { path: "^cli/" },
    },
    {
      name: "one-subcommand-knows-no-other",
      comment: "A sub-command is one file with a folder of its own; main.ts lists them.",
      severity: "error",
      from: { path: "^cli/(\\w+)(\\.ts$|/)", pathNot: "^cli/main\\.ts$" },
      to: { path: "^cli/(doctor|review|adopt)(\\.ts$|/)", pathNot: "^cli/$1(\\.ts$|/)" },
    },
    ...Object.entries(BELOW).map(([folder, below]) => ({
      name: `provider-${folder}`,
      comment: `provider/${folder}/ knows only what stands below it: ${below.join(", ") || "nothing of the provider"}.`,
      severity: "error",
      from: { path: `^provider/${folder}/` },
      to: { path: "^provider/", pathNot: [folder, ...below].map((known) => `^provider/${known}/`) },
    })),
    {
      name: "provider-root",
      comment: "index.ts and definitions.ts name the kinds; nothing in the provider's folders needs them.",
      severity: "error",
      from: { path: "^provider/[^/]+/" },
      to: { path: "^provider/[^/]+$" },
    },
    {
      name: "shared-knows-no-kind",
      comment: "What several kinds share stands below them.",
      severity: "error",
      from: { path: "^provider/resources/shared/" },
      to: { path: "^provider/resources/", pathNot: "^provider/resources/shared/" },
    },
    ...kinds().map((files) => ({
      name: "resource-knows-no-other",
      comment: "One kind changes without another. Only a kind's own helpers are its business.",
      severity: "error",
      from: { path: files },
      to: { path: "^provider/resources/", pathNot: [...files, "^provider/resources/shared/"] },
    })),
    {
      name: "pulumi-at-the-edge",
      comment: "The same definitions serve every host: only provider/engine/ knows the Pulumi engine.",
      severity: "error",
      from: { path: "^(provider|cli)/", pathNot: "^provider/engine/" },
      to: { path: PULUMI },
    },
    {
      name: "undici-behind-the-door",
      comment: "Every request passes through one function, and undici is loaded with the first one.",
      severity: "error",
      from: { path: "^(sdk|provider|cli)/", pathNot: "^provider/http/" },
      to: { path: "node_modules/undici/" },
    },
    {
      name: "emulator-knows-no-provider",
      comment: "Two readings of the interface that share no code cannot hide each other's mistakes.",
      severity: "error",
      from: { path: "^emulator/" },
      to: { path: "^(sdk|provider|cli|scripts|test|examples)/" },
    },
    {
      name: "provider-knows-no-emulator",
      comment: "The other direction of the same rule.",
      severity: "error",
      from: { path: "^(sdk|provider|cli)/" },
      to: { path: "^emulator/|node_modules/pulumi-agentgraph-emulator/" },
    },
    {
      name: "emulator-runtime-at-the-bottom",
      comment:
        "Store, clock, options and checks serve every feature, so they know none. A feature registers with them.",
      severity: "error",
      from: { path: "^emulator/src/runtime/" },
      to: { path: "^emulator/src/", pathNot: "^emulator/src/runtime/" },
    },
    {
      name: "emulator-http-below-features",
      comment: "The server performs routes; which ones exist is decided above it.",
      severity: "error",
      from: { path: "^emulator/src/http/" },
      to: { path: "^emulator/src/", pathNot: "^emulator/src/(runtime|http)/" },
    },
    {
      name: "emulator-features-below-admin",
      comment: "A feature works without anybody who steers the emulator.",
      severity: "error",
      from: { path: "^emulator/src/(workspaces|tracing|control-plane|agent-server|bulk-export|bucket)/" },
      to: { path: "^emulator/src/(admin/|cli/|[^/]+$)" },
    },
    {
      name: "emulator-feature-stands-alone",
      comment: "These features need no other one.",
      severity: "error",
      from: { path: "^emulator/src/(workspaces|tracing|bucket)/" },
      to: {
        path: "^emulator/src/(workspaces|tracing|control-plane|agent-server|bulk-export|bucket)/",
        pathNot: "^emulator/src/$1/",
      },
    },
    {
      name: "emulator-control-plane-needs-tracing",
      comment:
        "A deployment has a tracing project. Who else keeps something of a deployment hears of its deletion by an event.",
      severity: "error",
      from: { path: "^emulator/src/control-plane/" },
      to: { path: "^emulator/src/(workspaces|agent-server|bulk-export|bucket)/" },
    },
    {
      name: "emulator-agent-server-needs-control-plane",
      comment: "An agent server belongs to a deployment, and its runs leave traces.",
      severity: "error",
      from: { path: "^emulator/src/agent-server/" },
      to: { path: "^emulator/src/(workspaces|bulk-export|bucket)/" },
    },
    {
      name: "emulator-bulk-export-needs-tracing",
      comment: "An export reads traces and writes to any S3 server. It must not know that one of them is ours.",
      severity: "error",
      from: { path: "^emulator/src/bulk-export/" },
      to: { path: "^emulator/src/(workspaces|control-plane|agent-server|bucket)/" },
    },
    {
      name: "emulator-admin-below-cli",
      comment: "The admin side is used over HTTP and by the package's own entry, and needs neither.",
      severity: "error",
      from: { path: "^emulator/src/admin/" },
      to: { path: "^emulator/src/(cli/|[^/]+$)" },
    },
    {
      name: "emulator-cli-at-the-top",
      comment: "Who starts an emulator from a program loads no command line.",
      severity: "error",
      from: { path: "^emulator/src/[^/]+$", pathNot: "^emulator/src/main\\.ts$" },
      to: { path: "^emulator/src/cli/" },
    },
    {
      name: "nothing-unshipped",
      comment: "Tests, scripts and examples are not in the package, so nothing in it may need them.",
      severity: "error",
      from: { path: SHIPPED },
      to: { path: "^(test|scripts|examples|toolchain|emulator/test)/" },
    },
    {
      name: "no-development-package",
      comment: "A user installs no development dependency. The peer @pulumi/pulumi is one of ours as well.",
      severity: "error",
      from: { path: SHIPPED },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm-peer", "type-only"] },
    },
    {
      name: "no-unlisted-package",
      comment: "What package.json does not name may be missing or another version at the user's.",
      severity: "error",
      from: { path: SHIPPED },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-dangling-import",
      comment: "An import that leads nowhere would slip through every other rule.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.test.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["node", "require", "types"] },
  },
};
