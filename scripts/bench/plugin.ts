/** Benchmarks of the native plugin: start, memory and size of its bundle and of its executable. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureBundle } from "../plugin/bundle.ts";
import { ensureExecutable } from "../plugin/executable.ts";
import { run } from "../setup/run.mjs";
import { type Figure, median } from "./engine.ts";

const STARTS = 9;
const MEGABYTE = 1e6;

export async function plugin({ env }: { env: NodeJS.ProcessEnv }): Promise<Figure[]> {
  const [bundle, executable] = [await ensureBundle(), await ensureExecutable()];
  const subjects = [
    { name: "bundle", program: join(bundle, "pulumi-resource-agentgraph"), most: 300, file: join(bundle, "main.js") },
    { name: "executable", program: executable, most: 220, file: executable },
  ];
  const figures: Figure[] = [];
  for (const { name, program, most, file } of subjects) {
    const starts: Awaited<ReturnType<typeof start>>[] = [];
    for (let i = 0; i < STARTS; i++) starts.push(await start(program, env));
    const times = starts.map(({ time }) => time);
    const memory = median(starts.map(({ memory }) => memory));
    const size = (await stat(file)).size / MEGABYTE;
    const how = `until it prints its port, median of ${STARTS} starts, fastest ${Math.round(Math.min(...times))} ms; then it uses ${Math.round(memory)} MB of memory; its file has ${size.toFixed(1)} MB`;
    figures.push({ what: `Start of the plugin's ${name}`, unit: "ms", most, measured: median(times), how });
  }
  return figures;
}

/** Starts the plugin once. Returns the milliseconds until it prints its port, and then its memory in MB. */
async function start(program: string, env: NodeJS.ProcessEnv) {
  const begin = performance.now();
  const child = spawn(program, ["127.0.0.1:1"], { env, stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const time = performance.now() - begin;
  const kilobytes = await run("ps", ["-o", "rss=", "-p", String(child.pid)], { failed: "ps cannot read the memory" });
  child.stdin.end();
  await once(child, "exit");
  return { time, memory: (Number(kilobytes) * 1024) / MEGABYTE };
}
