import type { PropertyMap } from "../../../provider/schema/schema";
import { type Platform, startPlatform } from "../platform";
import { Stack, type StackOptions, stateOf } from "../stack";

/** A thread as its agent server returns it. */
export interface RemoteThread extends PropertyMap {
  thread_id: string;
  metadata: PropertyMap;
  values: PropertyMap;
}

/** A platform with a live deployment. */
export interface AgentPlatform extends Platform {
  deploymentId: string;
  /** Base path of the agent server. */
  basePath: string;
  /** Returns the inputs of a thread. */
  threadInputs(change?: PropertyMap): PropertyMap;
  stack(options?: StackOptions): Stack;
  /** Lists the threads of the deployment, newest first. */
  threads(): Promise<RemoteThread[]>;
  getThread(id: string): Promise<RemoteThread>;
  /** Returns the TTL of a thread as the server shows it. */
  ttlOf(id: string): Promise<unknown>;
  /** Sends a request without the provider. */
  callAgentServer(method: string, path: string, body?: unknown): Promise<{ status: number; body: RemoteThread }>;
  /** Returns the requests to the agent server, without its base path. */
  agentRequests(): string[];
}

/** Its URL is assigned by the control plane, so that it receives credentials also behind a proxy. */
const liveDeployment = {
  source: "internal_docker",
  revision_status: "DEPLOYED",
  source_revision_config: { image_uri: "registry.example.com/agent:1.0.0" },
} as const;

/** A live deployment of an external image, whose URL any member of the workspace can write. */
export const imageAt = (custom_url: string) =>
  ({ ...liveDeployment, source: "external_docker", source_config: { custom_url } }) as const;

export async function startAgents(...[options]: Parameters<typeof startPlatform>): Promise<AgentPlatform> {
  const platform = await startPlatform(options);
  const { deployments: [deploymentId = ""] = [] } = await platform.emulator.seed({
    deployments: [{ name: "agent", ...liveDeployment }],
  });
  const base = `/agents/${deploymentId}`;
  const ask: AgentPlatform["callAgentServer"] = (method, path, body) =>
    platform.call(method, base + path, body) as never;
  return {
    ...platform,
    ...{ deploymentId, basePath: base, callAgentServer: ask },
    threadInputs: (change = {}) => ({ deploymentId, metadata: { graph_id: "echo", team: "support" }, ...change }),
    stack: (options = {}) => new Stack(platform, { kind: "Thread", name: "session", ...options }),
    threads: async () => (await ask("POST", "/threads/search", { limit: 100 })).body as never,
    getThread: async (id) => (await ask("GET", `/threads/${id}`)).body as never,
    ttlOf: async (id) => (await ask("GET", `/threads/${id}?include=ttl`)).body.ttl,
    agentRequests: () => platform.requests().map((request) => request.replace("/agents/{id}", "")),
  };
}

/** Returns a superstep of a node of the graph `echo`. */
export const superstep = (values: PropertyMap, asNode = "echo") => ({ updates: [{ values, asNode }] });

interface StartOptions {
  server?: Parameters<typeof startAgents>[0];
  stack?: StackOptions;
}

/** Starts an agent server, and returns the stack of a thread. */
export async function startThread({ server, stack }: StartOptions = {}) {
  const agents = await startAgents(server);
  return { agents, stack: agents.stack(stack) };
}

/** Creates the thread on a new platform and clears its request log. */
export async function createThread(change: PropertyMap = {}, ...[options]: Parameters<typeof startAgents>) {
  const { agents, stack } = await startThread(options && { server: options });
  await stack.up(agents.threadInputs(change));
  await agents.emulator.requestLog.clear();
  stack.messages = [];
  return { agents, stack, ...stateOf(stack) };
}

/** Returns the IDs of all threads of the deployment, newest first. */
export const listThreadIds = async (agents: AgentPlatform): Promise<string[]> =>
  (await agents.threads()).map(({ thread_id }) => thread_id);

export const say = (content: string) => superstep({ messages: [{ role: "user", content }] });

/** A source with three steps, and what copies of it declare. */
export async function createSource() {
  const agents = await startAgents();
  const source = agents.stack({ name: "source" });
  await source.up(agents.threadInputs({ supersteps: [say("one"), say("two"), say("three")] }));
  await agents.emulator.requestLog.clear();
  const copyFrom = stateOf(source).id;
  const copy = (change = {}) => ({ deploymentId: agents.deploymentId, copyFrom, ...change });
  return { agents, source, copyFrom, copy, stack: agents.stack({ name: "copy" }) };
}
