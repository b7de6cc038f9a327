/** The programs of test/old-states, one folder for each state. */
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../support/packages/checkout";

const FOLDER = join(ROOT, "test", "old-states");

export const oldStates = readdirSync(FOLDER);

export const fileOf = (name: string, file: string) => join(FOLDER, name, file);

/**
 * Returns the program that created a state. The environment has the URL of the platform. A program that both providers
 * ran is stored once.
 */
export async function oldProgram(name: string): Promise<string> {
  const file = fileOf(name, "program.js");
  if (existsSync(file)) return readFile(file, "utf8");
  return toNative(await readFile(fileOf(name.replace("-native-", "-"), "program.js"), "utf8"));
}

/** Returns the program for the native provider; the programs of old states differ only in the package. */
export const toNative = (text: string) =>
  text.replace('require("pulumi-agentgraph")', 'require("pulumi-agentgraph/native")');
