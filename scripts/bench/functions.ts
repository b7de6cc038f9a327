/**
 * `node scripts/bench/functions.ts`, after `npm run build`: counts the functions of provider/ that an update of an
 * image enters, from the engine's call of check until the result of update. `--list` prints them by file.
 *
 * A contributor who follows the update reads these functions. Getters, initializers and functions without a name, such
 * as callbacks, are part of what surrounds them, so they do not count.
 */
import { Session } from "node:inspector/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../setup/paths.mjs";

const TARGETS = { functions: 250, files: 50 };
const PROVIDER = join(ROOT, "dist", "provider");
const URN = "urn:pulumi:dev::bench::pulumi-nodejs:dynamic/agentgraph:Deployment::agent";

/** Modules of this checkout, loaded as CommonJS like those of a program. */
const load = createRequire(import.meta.url);

/** Returns the names of the entered functions by file. V8 counts reliably only what was loaded afterwards. */
async function countFunctions(): Promise<ReadonlyMap<string, readonly string[]>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const update = await prepareUpdate();
  // Resets the counts.
  await session.post("Profiler.takePreciseCoverage");
  await update();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const scripts = result.filter(({ url }) => url.startsWith("file://") && fileURLToPath(url).startsWith(PROVIDER));
  const entered = scripts.map(({ url, functions }) => {
    const names = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName);
    return [relative(PROVIDER, fileURLToPath(url)), names.filter(isCounted)] as const;
  });
  return new Map(entered.filter(([, names]) => names.length > 0));
}

const isCounted = (name: string) => name !== "" && !/^(get|set) |^</.test(name);

/** Creates a deployment, and returns what the host calls when its image has changed. */
async function prepareUpdate() {
  const { startEmulator }: typeof import("../../emulator/dist/index.js") = load("../../emulator/dist/index.js");
  const { Deployment }: typeof import("../../dist/provider/index.js") = load("../../dist/provider/index.js");
  const emulator = await startEmulator({ port: 0, speed: 10 });
  const settings: Record<string, string> = {
    "agentgraph:apiKey": "bench-key",
    "agentgraph:controlPlaneUrl": emulator.urls.controlPlane,
  };
  await Deployment.configure({ config: { get: (key) => settings[key], require: (key) => settings[key] ?? "" } });
  const check = async (before: object, tag: string) => decrypted((await Deployment.check(before, inputs(tag))).inputs);
  const created = await check({}, "1.0.0");
  const { id, outs } = await Deployment.create(created);
  const state = decrypted(outs);
  return async () => {
    const updated = await check(created, "2.0.0");
    const { replaces = [] } = await Deployment.diff(id, state, updated);
    if (replaces.length > 0) throw new Error("The update would be a replacement.");
    await Deployment.update(id, state, updated);
    await emulator.stop();
  };
}

/** Returns properties as the engine passes them on: without marks of secrets. */
const decrypted = (properties: object | undefined): Record<string, unknown> =>
  JSON.parse(JSON.stringify(properties), (_key, value) =>
    typeof value === "object" && value !== null && SIGNATURE in value ? value.value : value,
  );
const SIGNATURE = "4dabf18193072939515e22adb298388d";

const inputs = (tag: string) => ({
  source: "external_docker",
  name: "agent",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: `registry.example.com/agents/agent:${tag}` },
  secrets: { MODEL_API_KEY: "model-key" },
  __urn: URN,
});

const byFile = await countFunctions();
if (process.argv.includes("--list"))
  for (const [file, names] of [...byFile].toSorted()) console.log(`${file}: ${names.join(", ")}`);
const functions = [...byFile.values()].reduce((sum, names) => sum + names.length, 0);
console.log(
  `An update of an image enters ${functions} functions in ${byFile.size} files of provider/ (targets: ` +
    `${TARGETS.functions} in ${TARGETS.files}).`,
);
process.exit();
