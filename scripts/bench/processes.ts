/** Figures of new processes: load time, check and diff, and the start of the native plugin. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureBundle } from "../plugin/bundle.ts";
import { ensureExecutable } from "../plugin/executable.ts";
import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { type Figure, median } from "./figures.ts";
import type { Sandbox } from "./sandbox.ts";

const STARTS = 9;
const MEGABYTE = 1e6;

export async function lifecycle(sandbox: Sandbox): Promise<Figure[]> {
  const { check, same, changed } = await probe(sandbox, "lifecycle");
  const figure = { unit: "ms", most: 2, how: "mean of 2000 in-process calls of the built provider" };
  return [
    { ...figure, what: "check", measured: check },
    { ...figure, what: "diff, nothing changed", measured: same },
    { ...figure, what: "diff, image changed", measured: changed },
  ];
}

export async function loadTimes(sandbox: Sandbox): Promise<Figure[]> {
  const sdk = (await repeat(() => probe(sandbox, "sdk"))).map(({ load }) => load);
  const provider = await repeat(() => probe(sandbox, "provider"));
  const loads = provider.map(({ load }) => load);
  const requests = spread(provider.map(({ request }) => request));
  return [
    {
      ...{ what: "Import of the SDK", unit: "ms", most: 20, measured: median(sdk) },
      how: `in a process with @pulumi/pulumi loaded, ${spread(sdk)}`,
    },
    {
      ...{ what: "Provider until its first request", unit: "ms", most: 130, measured: median(loads) },
      how:
        "evaluation and configuration of the stub in a process with the modules of the host loaded, " +
        `${spread(loads)}; then until the first request, with undici, reaches a server: ${requests}`,
    },
  ];
}

interface Probe {
  load: number;
  request: number;
  check: number;
  same: number;
  changed: number;
}

/** Returns what a probe measures; each measures some of it. */
async function probe({ node, env }: Sandbox, name: string): Promise<Probe> {
  const file = join(ROOT, "scripts", "bench", "probes.ts");
  return JSON.parse(await run(node, [file, name], { cwd: ROOT, env, failed: `The probe ${name} failed` }));
}

export async function plugin({ env }: Sandbox): Promise<Figure[]> {
  const [bundle, executable] = [await ensureBundle(), await ensureExecutable()];
  return [
    await startOf("bundle", join(bundle, "pulumi-resource-agentgraph"), env, 300),
    await startOf("executable", executable, env, 220),
  ];
}

async function startOf(name: string, program: string, env: NodeJS.ProcessEnv, most: number): Promise<Figure> {
  const starts = await repeat(() => start(program, env));
  const times = starts.map(({ time }) => time);
  const memory = median(starts.map(({ kilobytes }) => kilobytes)) * 1024;
  const { size } = await stat(name === "bundle" ? join(program, "../main.js") : program);
  const [memoryMb, sizeMb] = [memory, size].map((bytes) => (bytes / MEGABYTE).toFixed(1));
  const used = `then it uses ${memoryMb} MB of memory; its file has ${sizeMb} MB`;
  const how = `until it prints its port, ${spread(times)}; ${used}`;
  return { what: `Start of the plugin's ${name}`, unit: "ms", most, measured: median(times), how };
}

/** Starts the plugin once. Returns the milliseconds until it prints its port, and then its memory. */
async function start(program: string, env: NodeJS.ProcessEnv) {
  const begin = performance.now();
  const child = spawn(program, ["127.0.0.1:1"], { env, stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const time = performance.now() - begin;
  const memory = await run("ps", ["-o", "rss=", "-p", String(child.pid)], { failed: "ps cannot read the memory" });
  child.stdin.end();
  await once(child, "exit");
  return { time, kilobytes: Number(memory) };
}

async function repeat<T>(measure: () => Promise<T>) {
  const results: T[] = [];
  for (let i = 0; i < STARTS; i++) results.push(await measure());
  return results;
}

const spread = (times: number[]) =>
  `median of ${times.length} processes ${Math.round(median(times))} ms, fastest ${Math.round(Math.min(...times))} ms`;
