/**
 * `node --require lazy-sdk.cjs`: loads what the Pulumi SDK loads at its start and most programs never use, 700 of 1,000 modules,
 * with its first use. The tests start the SDK thousands of times, and this is half of the processor time of a command.
 */
const Module = require("node:module");
const { readdirSync } = require("node:fs");

/** TypeScript and arborist serve the serialization of functions, OpenTelemetry serves tracing. */
const LAZY = /^(typescript|@npmcli\/arborist|@opentelemetry\/(?!api$).*)$/;

const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (!LAZY.test(request) || !isSdk(parent?.filename)) return load.call(this, request, parent, isMain);
  // Fails at once if the module is not installed, as the SDK expects.
  const file = Module._resolveFilename(request, parent);
  const member = (key) => load.call(Module, file, parent, isMain)[key];
  const get = request.startsWith("@opentelemetry/") ? (key) => lazyFunction(() => member(key)) : member;
  return new Proxy({}, { get: (_, key) => key === "__esModule" || get(key) });
};

const isSdk = (file = "") => /[\\/]@pulumi[\\/]pulumi[\\/](?!vendor)/.test(file);

/** Returns what stands for a function or a class that the SDK takes out of its module at once. */
function lazyFunction(get) {
  return new Proxy(constructible, {
    get: (_, key) => get()[key],
    apply: (_, self, args) => Reflect.apply(get(), self, args),
    construct: (_, args) => Reflect.construct(get(), args),
  });
}

function constructible() {}

// The option `typescript: false` of a project, which the language host of the Go modules ignores.
if (process.env.PULUMI_NODEJS_TYPESCRIPT && !readdirSync(".").some((name) => name.endsWith(".ts"))) {
  process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
}
