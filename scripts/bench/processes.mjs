/** Figures of one process: what loading costs, and what check and diff cost. Each probe is a file that a new Node runs. */
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { median } from "./engine.mjs";

const STARTS = 9;

export async function lifecycleCosts(sandbox) {
  const { check, same, changed, calls } = await probe(sandbox, "lifecycle");
  const how = (what) => `mean of ${calls} calls of the built provider in process, ${what}`;
  return [
    { what: "check", unit: "ms", most: 2, measured: check, how: how("a whole Deployment with secrets") },
    {
      what: "diff, nothing changed",
      unit: "ms",
      most: 2,
      measured: same,
      how: how("the echoed inputs against themselves"),
    },
    { what: "diff, image changed", unit: "ms", most: 2, measured: changed, how: how("another image each time") },
  ];
}

export async function sdkLoad(sandbox) {
  const times = (await repeat(sandbox, "sdk-load")).map(({ sdk }) => sdk);
  const how = `require("pulumi-agentgraph") in a process that has @pulumi/pulumi loaded, ${spread(times)}`;
  return [{ what: "Import of the SDK", unit: "ms", most: 20, measured: median(times), how }];
}

export async function providerLoad(sandbox) {
  const runs = await repeat(sandbox, "provider-load");
  const times = runs.map(({ load }) => load);
  const request = spread(runs.map(({ request }) => request));
  const how = `the stub evaluated and configured in a process that has what the host loads, ${spread(times)}; from there until the first request, with undici, reaches a server: ${request}`;
  return [{ what: "Provider until its first request", unit: "ms", most: 130, measured: median(times), how }];
}

const spread = (times) =>
  `median of ${times.length} processes ${Math.round(median(times))} ms, fastest ${Math.round(Math.min(...times))} ms`;

async function repeat(sandbox, name) {
  const results = [];
  for (let i = 0; i < STARTS; i++) results.push(await probe(sandbox, name));
  return results;
}

async function probe({ node, env, program }, name) {
  const file = join(ROOT, "scripts", "bench", "probes", `${name}.mjs`);
  return JSON.parse(await run(node, [file], { cwd: program, env, failed: `The probe ${name} failed` }));
}
