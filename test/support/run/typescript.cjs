/**
 * Compiles one file as `npm run build` does, with the options of tsconfig.json, for Jest: tests must run the code
 * that is shipped. test/support/run/typescript.release.test.ts compares the two.
 */
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { join, resolve } = require("node:path");

const ROOT = resolve(__dirname, "../../..");
const CONFIG = join(ROOT, "tsconfig.json");

/** What the output depends on besides the file. */
const TOOLS = [__filename, CONFIG, require.resolve("typescript/package.json")].map((path) =>
  readFileSync(path, "utf8"),
);

let compiler;
/** Loads TypeScript, which takes long: only for a file that is not in the cache of Jest. */
function loadCompiler() {
  if (compiler) return compiler;
  const ts = require("typescript");
  const { config } = ts.readConfigFile(CONFIG, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT, CONFIG);
  // Without the folder of the output, the source map names the file beside it.
  compiler = { ts, options: { ...options, sourceMap: true, outDir: undefined, rootDir: undefined } };
  return compiler;
}

/**
 * Returns the code and the source map of a TypeScript file, or of an ES module of a package, which Jest cannot load.
 */
function compile(source, path) {
  const { ts, options } = loadCompiler();
  const compilerOptions = path.endsWith(".js") ? { ...options, module: ts.ModuleKind.CommonJS } : options;
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(source, {
    fileName: path,
    compilerOptions,
    reportDiagnostics: path.endsWith(".ts"),
  });
  if (diagnostics.length > 0) throw new SyntaxError(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
  return { code: outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, ""), map: sourceMapText };
}

module.exports = {
  compile,
  process: compile,
  getCacheKey: (source, path, { instrument }) =>
    createHash("sha256")
      .update(JSON.stringify([source, path, instrument, TOOLS]))
      .digest("hex"),
};
