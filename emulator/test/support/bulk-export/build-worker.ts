import { spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");
const worker = join(root, "dist/bulk-export/parquet/worker.js");

/** Compiles the emulator if its worker thread is older than its source, because Jest compiles only code of its own thread. */
export default function buildWorker(): void {
  const sources = globSync(["src/bulk-export/{parquet,s3}/*.ts", "src/tracing/columns.ts"], { cwd: root });
  const newest = Math.max(...sources.map((name) => statSync(join(root, name)).mtimeMs));
  const isCurrent = () => (statSync(worker, { throwIfNoEntry: false })?.mtimeMs ?? 0) > newest;
  if (isCurrent()) return;
  const tsc = join(require.resolve("typescript/package.json"), "..", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", root], { encoding: "utf8" });
  // Code with type errors is compiled, too. Another check reports them.
  if (!isCurrent()) throw new Error(`The emulator cannot be compiled:\n${stdout}`);
}
