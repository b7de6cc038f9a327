/** The type check of users' programs. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../packages/checkout";
import type { World } from "../world";
import { EXAMPLES } from "./examples";
import { Program } from "./program";

/** What programs add that Node.js runs without a compiler. The others pass with it, too. */
const NATIVE = { allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: false };

/**
 * Returns what the compiler prints for the programs of examples. One run for all takes a tenth of the time of a type
 * check by the engine before each run.
 */
export async function compileExamples(world: World, examples: readonly string[], modules?: string): Promise<string> {
  const programs = await Promise.all(
    examples.map(async (name) => Program.copy(name, await world.createFolder(`examples/${name}`), modules)),
  );
  const settings = examples.map((name) => JSON.parse(readFileSync(join(EXAMPLES, name, "tsconfig.json"), "utf8")));
  const [common] = settings.map(({ compilerOptions }) => compilerOptions);
  for (const { compilerOptions } of settings)
    expect({ ...compilerOptions, ...NATIVE }).toEqual({ ...common, ...NATIVE });
  const project = {
    compilerOptions: { ...common, ...NATIVE },
    files: programs.flatMap(({ folder }, index) => settings[index].files.map((file: string) => join(folder, file))),
  };
  const file = join(await world.createFolder("examples"), "tsconfig.json");
  await writeFile(file, JSON.stringify(project));
  const tsc = join(ROOT, "node_modules/@typescript/native/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", file]).catch((failure) => failure);
  return stdout;
}
