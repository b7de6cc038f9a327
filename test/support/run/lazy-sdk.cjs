/**
 * `node --require lazy-sdk.cjs`: what the Pulumi SDK loads at its start and most programs never use, two thirds of its
 * modules, is loaded with its first use. The tests start the SDK a thousand times; this halves the processor time of a
 * command.
 */
const Module = require("node:module");
const { existsSync, readdirSync, readFileSync } = require("node:fs");

/** Serialization of functions (TypeScript, arborist, package data), the Automation API (execa, YAML) and tracing. */
const LAZY = /^(typescript|@npmcli\/arborist|normalize-package-data|execa|js-yaml|@opentelemetry\/(?!api$).*)$/;
/** Those whose members are functions that the SDK takes out of the module at once. */
const FUNCTIONS = /^(normalize-package-data|execa|@opentelemetry\/.*)$/;

const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (!LAZY.test(request) || !isSdk(parent?.filename)) return load.call(this, request, parent, isMain);
  // Fails at once if the module is not installed, as the SDK expects.
  const file = Module._resolveFilename(request, parent);
  const member = (key) => {
    const loaded = load.call(Module, file, parent, isMain);
    return key === "default" && !loaded.__esModule ? loaded : loaded[key];
  };
  const get = FUNCTIONS.test(request) ? (key) => lazyFunction(() => member(key)) : member;
  return new Proxy({}, { get: (_, key) => key === "__esModule" || get(key) });
};

const isSdk = (file = "") => /[\\/]@pulumi[\\/]pulumi[\\/](?!vendor)/.test(file);

/** Returns what stands for a function or a class. */
function lazyFunction(get) {
  return new Proxy(constructible, {
    get: (_, key) => get()[key],
    apply: (_, self, args) => Reflect.apply(get(), self, args),
    construct: (_, args) => Reflect.construct(get(), args),
  });
}

function constructible() {}

// The option `typescript: false` of a project, which the language host of the Go modules ignores.
if (/[\\/]cmd[\\/]run[\\/]/.test(process.argv[1]) && !needsTsNode()) process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

/** Whether ts-node compiles the program; it leaves ES modules to Node.js, which removes their types. */
function needsTsNode() {
  if (!readdirSync(".").some((name) => name.endsWith(".ts"))) return false;
  return !existsSync("package.json") || JSON.parse(readFileSync("package.json", "utf8")).type !== "module";
}
