import type { EmulatorOptions } from "../../src/index";
import { type Client, createDeployment, docker, request, rolloutMs, start } from "./emulator";

/** The fields of agent server responses that tests read. */
export interface AgentBody {
  thread_id: string;
  run_id: string;
  assistant_id: string;
  graph_id: string;
  status: string;
  created_at: string;
  updated_at: string;
  state_updated_at: string;
  metadata: Record<string, unknown>;
  config: Record<string, unknown>;
  values: Record<string, unknown> & { messages?: Message[] };
  next: string[];
  tasks: {
    id: string;
    name: string;
    error: string | null;
    interrupts: { id: string; value: unknown }[];
    result: unknown;
  }[];
  checkpoint: { checkpoint_id: string; thread_id: string; checkpoint_ns: string };
  /** Of an assistant. */
  name: string;
  description: string | null;
  context: Record<string, unknown>;
  version: number;
  checkpoint_id: string;
  parent_checkpoint_id: string | null;
  detail: string;
}

export interface Message {
  type: string;
  id: string;
  content: string;
}

export interface AgentResponse {
  status: number;
  body: AgentBody;
  headers: Headers;
  /** The body if it is a list. */
  list: AgentBody[];
}

/** An emulator with one live deployment. */
export interface Agent extends Client {
  deploymentId: string;
  /** Sends a request to the agent server, without an API key unless `headers` has one. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<AgentResponse>;
  /** Creates a thread. */
  thread(body?: object): Promise<AgentBody>;
  state(threadId: string): Promise<AgentBody>;
  /** Up to 1000 states, most recent first. */
  history(threadId: string): Promise<AgentBody[]>;
}

/** Starts an emulator with a frozen clock, and a deployment in it whose first revision is DEPLOYED. */
export async function startAgent(options: EmulatorOptions = {}, body: object = docker("agent")): Promise<Agent> {
  const client = await start(options);
  const { id } = await createDeployment(client, body, rolloutMs);
  return agentOf(client, id);
}

export function agentOf(client: Client, deploymentId: string): Agent {
  const base = `${client.emulator.urls.controlPlane}/agents/${deploymentId}`;
  const call: Agent["call"] = async (method, path, body, headers = {}) => {
    const response = await request(base, method, path, body, headers);
    return { ...response, list: response.body } as unknown as AgentResponse;
  };
  return {
    ...client,
    deploymentId,
    call,
    thread: async (body = {}) => {
      const response = await call("POST", "/threads", body);
      expect(response).toMatchObject({ status: 200 });
      return response.body;
    },
    state: async (threadId) => (await call("GET", `/threads/${threadId}/state`)).body,
    history: async (threadId) => (await call("POST", `/threads/${threadId}/history`, { limit: 1000 })).list,
  };
}

/** Starts an agent with a thread. */
export async function startThread(
  options: EmulatorOptions = {},
  body: object = {},
): Promise<AgentBody & { agent: Agent }> {
  const agent = await startAgent(options);
  return { agent, ...(await agent.thread(body)) };
}

export const unknownId = "00000000-0000-4000-8000-000000000000";

export const human = (content: string) => ({ type: "human", content });

/** Supersteps that leave the graph `echo` with a question and its reply. */
export const conversation = [
  { updates: [{ values: {}, as_node: "__input__" }] },
  { updates: [{ values: { messages: [human("Hello")] }, as_node: "__start__" }] },
  { updates: [{ values: { messages: [{ type: "ai", content: "Hello, you" }] }, as_node: "echo" }] },
];

/** Long enough for any run of a few nodes to finish. */
export const runMs = 5000;

/** Starts a run and returns its ID, after some time. */
export async function startRun(agent: Agent, threadId: string, body: object, advanceMs = 0): Promise<string> {
  const response = await agent.call("POST", `/threads/${threadId}/runs`, body);
  expect(response).toMatchObject({ status: 200, body: { status: "pending", thread_id: threadId } });
  if (advanceMs > 0) await agent.advance(advanceMs);
  return response.body.run_id;
}

export async function runStatus(agent: Agent, threadId: string, runId: string): Promise<string> {
  return (await agent.call("GET", `/threads/${threadId}/runs/${runId}`)).body.status;
}

export async function threadStatus(agent: Agent, threadId: string): Promise<string> {
  return (await agent.call("GET", `/threads/${threadId}`)).body.status;
}
