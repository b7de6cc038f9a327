/** Benchmarks of single processes: load time, check and diff. Each probe is a file that a new Node process runs. */
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { type Figure, median } from "./engine.ts";
import type { Sandbox } from "./sandbox.ts";

const STARTS = 9;

export async function lifecycleCosts(sandbox: Sandbox): Promise<Figure[]> {
  const { check, same, changed, calls } = await probe(sandbox, "lifecycle");
  const how = (what: string) => `mean of ${calls} in-process calls of the built provider, ${what}`;
  return [
    { what: "check", unit: "ms", most: 2, measured: check, how: how("a complete Deployment with secrets") },
    {
      what: "diff, nothing changed",
      unit: "ms",
      most: 2,
      measured: same,
      how: how("equal inputs"),
    },
    { what: "diff, image changed", unit: "ms", most: 2, measured: changed, how: how("a different image in each call") },
  ];
}

export async function sdkLoad(sandbox: Sandbox): Promise<Figure[]> {
  const times = (await repeat(sandbox, "sdk-load")).map(({ sdk }) => sdk);
  const how = `require("pulumi-agentgraph") in a process with @pulumi/pulumi loaded, ${spread(times)}`;
  return [{ what: "Import of the SDK", unit: "ms", most: 20, measured: median(times), how }];
}

export async function providerLoad(sandbox: Sandbox): Promise<Figure[]> {
  const runs = await repeat(sandbox, "provider-load");
  const times = runs.map(({ load }) => load);
  const request = spread(runs.map(({ request }) => request));
  const how = `evaluation and configuration of the stub in a process with the modules of the host loaded, ${spread(times)}; then until the first request, with undici, reaches a server: ${request}`;
  return [{ what: "Provider until its first request", unit: "ms", most: 130, measured: median(times), how }];
}

const spread = (times: number[]) =>
  `median of ${times.length} processes ${Math.round(median(times))} ms, fastest ${Math.round(Math.min(...times))} ms`;

async function repeat(sandbox: Sandbox, name: string) {
  const results: Awaited<ReturnType<typeof probe>>[] = [];
  for (let i = 0; i < STARTS; i++) results.push(await probe(sandbox, name));
  return results;
}

/** Runs a probe and returns what it prints. */
async function probe({ node, env, program }: Sandbox, name: string) {
  const file = join(ROOT, "scripts", "bench", "probes", `${name}.mjs`);
  return JSON.parse(await run(node, [file], { cwd: program, env, failed: `The probe ${name} failed` }));
}
