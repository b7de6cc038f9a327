/** Builds programs from the Go modules of toolchain/, whose go.sum pins every dependency. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { toolchainOf, which } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { run } from "./run.mjs";

/** Returns the path of `go`. @throws Problem that begins with what requires it. */
export function goProgram(purpose, env) {
  const go = which("go", env);
  if (go) return go;
  throw new Problem(
    `${purpose} Go, which is not installed. Install Go (https://go.dev/dl) and run the same command again.`,
  );
}

/**
 * Builds the tool of a module of toolchain/.
 * @param {object} build
 * @param {string} build.go the `go` program
 * @param {string} build.module the folder in toolchain/
 * @param {string} [build.name] the program, if the module has several
 * @param {string} build.output the program to write
 * @param {string[]} [build.flags] more flags of `go build`
 * @param {string} [build.link] more flags of the linker
 * @param {NodeJS.ProcessEnv} build.env
 * @param {string} build.failed beginning of the error message
 */
export async function buildTool({ go, module, name, output, flags = [], link = "", env, failed }) {
  const folder = toolchainOf(module);
  const source = await sourceOf(folder, name);
  // Neither the compiler nor the linker writes what only a debugger reads: a tenth less processor time.
  const lean = ["-trimpath", "-gcflags=all=-dwarf=false", "-ldflags", `-s -w ${link}`.trim()];
  const options = { cwd: folder, env: { ...env, CGO_ENABLED: "0", GOWORK: "off" }, failed };
  await run(go, ["build", "-mod=readonly", "-buildvcs=false", ...lean, ...flags, "-o", output, source], options);
}

/** Returns the package of a program: a `tool` in go.mod, otherwise the folder itself. */
async function sourceOf(folder, name = "") {
  const tools = (await readFile(join(folder, "go.mod"), "utf8")).matchAll(/^(?:tool |\t)(\w\S+)$/gm);
  return [...tools].map(([, source]) => source).find((source) => source.endsWith(name)) ?? ".";
}
