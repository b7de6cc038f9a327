import type { PropertyMap } from "../../provider/schema/schema";
import { type Platform, startPlatform } from "./platform";
import { heldBy, type Options, Stack } from "./stack";

/** A thread as its agent server shows it. */
export interface RemoteThread extends PropertyMap {
  thread_id: string;
  metadata: PropertyMap;
  values: PropertyMap;
}

/** A platform with a deployment that serves. */
export interface Agents extends Platform {
  deploymentId: string;
  /** Below which the agent server's routes are. */
  base: string;
  /** A thread with what most tests want. */
  thread(change?: PropertyMap): PropertyMap;
  stack(options?: Options): Stack;
  /** All threads of the deployment, newest first. */
  threads(): Promise<RemoteThread[]>;
  one(id: string): Promise<RemoteThread>;
  /** A call past the provider. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: RemoteThread }>;
  /** The requests to the agent server, without its base. */
  asked(): string[];
}

const serving = {
  source: "external_docker",
  revision_status: "DEPLOYED",
  source_revision_config: { image_uri: "registry.example.com/agent:1.0.0" },
} as const;

export async function startAgents(...[options]: Parameters<typeof startPlatform>): Promise<Agents> {
  const platform = await startPlatform(options);
  const { deployments: [deploymentId = ""] = [] } = await platform.emulator.seed({
    deployments: [{ name: "agent", ...serving }],
  });
  const base = `/agents/${deploymentId}`;
  const ask: Agents["ask"] = (method, path, body) => platform.call(method, base + path, body) as never;
  return {
    ...platform,
    ...{ deploymentId, base, ask },
    thread: (change = {}) => ({ deploymentId, metadata: { graph_id: "echo", team: "support" }, ...change }),
    stack: (options = {}) => new Stack(platform, { kind: "Thread", name: "session", ...options }),
    threads: async () => (await ask("POST", "/threads/search", { limit: 100 })).body as never,
    one: async (id) => (await ask("GET", `/threads/${id}`)).body as never,
    asked: () => platform.requests().map((request) => request.replace("/agents/{id}", "")),
  };
}

/** A step in the name of a node of the graph `echo`. */
export const step = (values: PropertyMap, asNode = "echo") => ({ updates: [{ values, asNode }] });

/** Creates the thread on a platform of its own, whose request log is empty then. */
export async function createThread(change: PropertyMap = {}, ...[options]: Parameters<typeof startAgents>) {
  const agents = await startAgents(options);
  const stack = agents.stack();
  await stack.up(agents.thread(change));
  await agents.emulator.journal.clear();
  stack.rows = [];
  return { agents, stack, ...heldBy(stack) };
}

/** Returns the IDs of all threads of the deployment, newest first. */
export const listThreadIds = async (agents: Agents): Promise<string[]> =>
  (await agents.threads()).map(({ thread_id }) => thread_id);
