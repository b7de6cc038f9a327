/** Setup of a test run of any layer. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { engines } from "../../../package.json";

/** Values that the setup passes to the teardown. */
interface Run {
  /** Stops processes that are left running, even when the run is killed. */
  reaper?: ChildProcessByStdio<Writable, Readable, null>;
  /** Folder of Node's compile cache. */
  compileCache?: string;
}
export const run = globalThis as Run;

/** The part of scripts/setup/build.mjs that is used here. */
interface Build {
  ensureBuild(env: NodeJS.ProcessEnv): Promise<void>;
}

export default async function setUp(): Promise<void> {
  checkNode();
  await buildSources();
  const id = randomUUID();
  const { TEST_RUN_ID: _, ...env } = process.env;
  const script = join(__dirname, "reaper.mjs");
  run.reaper = spawn(process.execPath, [script, id], { env, detached: true, stdio: ["pipe", "pipe", "inherit"] });
  // All processes started from here on inherit it: Jest workers and their children.
  process.env.TEST_RUN_ID = id;
  // The tests start the same programs hundreds of times; with a shared cache each module is compiled once.
  run.compileCache = mkdtempSync(join(tmpdir(), "agentgraph-compile-cache-"));
  process.env.NODE_COMPILE_CACHE = run.compileCache;
  process.env.NODE_OPTIONS = `--require=${JSON.stringify(join(__dirname, "lazy-sdk.cjs"))}`;
  // The Pulumi CLI is written in Go and ends before its memory needs to be freed.
  process.env.GOGC = "off";
  process.env.GOMEMLIMIT = "1GiB";
}

/** Says what to do where an older Node would only lack a module. */
function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = engines.node.replace(">=", "").split(".").map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return;
  process.stderr.write(
    `The tests need Node ${engines.node}, and PATH contains ${process.versions.node}. \`npm test\` and \`npm ` +
      "run check` install and use a newer one. " +
      'To use it here as well: PATH="$(dirname "$(node scripts/run.mjs tool node-newest)"):$PATH" npx jest <file>\n',
  );
  process.exit(1);
}

/** Commands, worker threads and programs load what is built. @throws Error with the errors of the compiler. */
export async function buildSources(): Promise<void> {
  const { ensureBuild }: Build = require("../../../scripts/setup/build.mjs");
  await ensureBuild(process.env).catch((error) => {
    throw new Error([error.details, error.message].filter(Boolean).join("\n"));
  });
}
