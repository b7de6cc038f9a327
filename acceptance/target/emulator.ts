/** The emulator, in the process of the suite: it ends with it, however that ends. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Options } from "../options.ts";
import { Api } from "./http.ts";
import type { EmulatorHandle, Server } from "./server.ts";

const TENANT = "11111111-1111-4111-8111-111111111111";
const ENTRY = join(dirname(fileURLToPath(import.meta.url)), "../../emulator/dist/index.js");

/** Starts an emulator and fills in every option that it knows. */
export async function startEmulator(options: Options): Promise<{ server: Server; options: Options }> {
  const { startEmulator: start } = (await import(pathToFileURL(ENTRY).href)) as {
    startEmulator: (options: object) => Promise<EmulatorHandle>;
  };
  const apiKey = `key-${randomUUID()}`;
  // The routes of the description alone are always strict.
  const kind = options.interfaceOnly ? { interfaceOnly: true } : { strict: true };
  const { platform } = options;
  const emulator = await start({ ...kind, platform, apiKey, speed: "instant" });
  const { controlPlane } = emulator.urls;
  const { url: endpoint, ...key } = emulator.bucket;
  const api = new Api(controlPlane, { "x-api-key": apiKey, "x-tenant-id": TENANT });
  const server: Server = {
    kind: "emulator",
    controlPlane: api,
    tracing: api,
    // Agent servers of the emulator are open, and reject nothing.
    agentServer: (url) => new Api(url, {}),
    bucket: { name: "exports", region: "us-east-1", endpoint, ...key },
    settings: {
      AGENTGRAPH_CONTROL_PLANE_URL: controlPlane,
      AGENTGRAPH_TRACING_API_URL: controlPlane,
      AGENTGRAPH_API_KEY: apiKey,
      AGENTGRAPH_TENANT_ID: TENANT,
      ...(platform === "today" && { AGENTGRAPH_PLATFORM: "langsmith" }),
    },
    secrets: [apiKey, key.accessKeyId, key.secretAccessKey],
    emulator,
    vocabulary: {},
  };
  return { server, options: { ...(await defaults(emulator)), ...given(options) } as Options };
}

/** Returns values of the emulator for the options that only the owner of a platform knows. */
async function defaults(emulator: EmulatorHandle): Promise<Partial<Options>> {
  const hour = 3_600_000;
  const runs = [3, 5, 7].map((hours) => ({
    ...{ name: "turn", run_type: "chain", start_time: new Date(Date.now() - hours * hour).toISOString() },
    ...{ status: "success", inputs: { question: "Hello" } },
  }));
  const { session_id: project } = await emulator.loadRuns({ project: "sample-traces" }, runs);
  const image = "registry.example.com/agent";
  return {
    ...{ image: `${image}:1.0.0`, nextImage: `${image}:1.1.0`, brokenImage: `${image}:broken` },
    ...{ repository: "https://git.example/team/agent", graph: "echo", bucket: "exports", project },
  };
}

const given = (options: Options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
