import { defaultAssistantId } from "../../../provider/schema/id";
import type { PropertyMap } from "../../../provider/schema/schema";
import type { startPlatform } from "../platform";
import { Stack, type StackOptions, stateOf } from "../stack";
import { type AgentPlatform, startAgents } from "./threads";

/** An assistant as its agent server returns it. */
export interface RemoteAssistant extends PropertyMap {
  assistant_id: string;
  graph_id: string;
  name: string;
  version: number;
  context: PropertyMap;
  config: PropertyMap;
  metadata: PropertyMap;
}

/** An agent server with the graph `echo`, whose context has `prefix` and `letters`. */
export interface AssistantPlatform extends AgentPlatform {
  /** Returns the inputs of an assistant. */
  assistantInputs(change?: PropertyMap): PropertyMap;
  assistantStack(options?: StackOptions): Stack;
  /** Lists all assistants but the default ones, newest first. */
  assistants(): Promise<RemoteAssistant[]>;
  /** Returns the default assistants, as the server returns them. */
  defaults(): Promise<unknown>;
  getAssistant(id: string): Promise<RemoteAssistant>;
  /** Changes an assistant as another client. */
  patchAssistant(id: string, change: PropertyMap): Promise<RemoteAssistant>;
}

type Options = Parameters<typeof startPlatform>[0];

export async function startAssistants(options?: Options): Promise<AssistantPlatform> {
  const agents = await startAgents(options);
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await agents.callAgentServer(method, path, body);
    expect(response).toMatchObject({ status: 200 });
    return response.body as unknown;
  };
  const list = async () => (await ask("POST", "/assistants/search", { limit: 1000 })) as RemoteAssistant[];
  const isDefault = ({ assistant_id, graph_id }: RemoteAssistant) => assistant_id === defaultAssistantId(graph_id);
  return {
    ...agents,
    assistantInputs: (change = {}) => ({
      deploymentId: agents.deploymentId,
      graphId: "echo",
      name: "support",
      context: { prefix: "> " },
      ...change,
    }),
    assistantStack: (stackOptions = {}) => new Stack(agents, { kind: "Assistant", name: "support", ...stackOptions }),
    assistants: async () => (await list()).filter((assistant) => !isDefault(assistant)),
    defaults: async () => (await list()).filter(isDefault),
    getAssistant: async (id) => (await ask("GET", `/assistants/${id}`)) as RemoteAssistant,
    patchAssistant: async (id, change) => (await ask("PATCH", `/assistants/${id}`, change)) as RemoteAssistant,
  };
}

/** Creates the assistant on a new platform and clears its request log. */
export async function createAssistant(change: PropertyMap = {}, options?: Options) {
  const agents = await startAssistants(options);
  const stack = agents.assistantStack();
  await stack.up(agents.assistantInputs(change));
  await agents.emulator.requestLog.clear();
  stack.messages = [];
  return { agents, stack, ...stateOf(stack) };
}
