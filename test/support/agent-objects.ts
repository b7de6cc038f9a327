/** The kinds of objects on an agent server, as the situations of their creates need them. */
import type { PropertyMap } from "../../provider/schema/schema";
import { startAssistants } from "./assistants";
import { cronsOf } from "./crons";
import type { Stack, StackOptions } from "./stack";
import { type AgentPlatform, startAgents } from "./threads";

/** A kind, with what the situations need of it. */
export interface Kind {
  noun: string;
  /** The input for its ID; absent where the server assigns it. */
  idInput?: string;
  /** The routes of its create request and of its objects, below the agent server. */
  createPath: string;
  path: string;
  start(options?: Parameters<typeof startAgents>[0]): Promise<Started>;
}

export interface Started {
  agents: AgentPlatform;
  declared: PropertyMap;
  stack(options?: StackOptions): Stack;
  /** Returns the IDs of all objects of the kind that someone created. */
  ids(): Promise<string[]>;
  /** What a change of the program looks like that an update can make. */
  changed: PropertyMap;
  /** Creates an object of someone else. */
  createForeign(id: string): Promise<string>;
}

const DEFAULT = "system";
export const STRANGERS = "11111111-2222-4333-8444-555555555555";

export const kinds: Kind[] = [
  {
    ...{ noun: "assistant", idInput: "assistantId", createPath: "/assistants", path: "/assistants" },
    async start(options) {
      const agents = await startAssistants(options);
      const list = async () =>
        (await agents.callAgentServer("POST", "/assistants/search", { limit: 100 })).body as unknown as PropertyMap[];
      return {
        agents,
        declared: agents.assistantInputs(),
        changed: { context: { prefix: "# " } },
        stack: agents.assistantStack,
        ids: async () =>
          (await list())
            .filter(({ metadata }) => (metadata as PropertyMap | null)?.created_by !== DEFAULT)
            .map(({ assistant_id }) => String(assistant_id)),
        createForeign: async (id) =>
          String(
            (await agents.callAgentServer("POST", "/assistants", { assistant_id: id, graph_id: "echo" })).body
              .assistant_id,
          ),
      };
    },
  },
  {
    ...{ noun: "cron", createPath: "/runs/crons", path: "/runs/crons" },
    async start(options) {
      const agents = await startAgents(options);
      const crons = cronsOf(agents);
      return {
        agents,
        declared: crons.inputs(),
        changed: { schedule: "0 4 * * *" },
        stack: crons.stack,
        ids: async () => (await crons.list()).map(({ cron_id }) => cron_id),
        createForeign: async () =>
          String(
            (
              await agents.callAgentServer("POST", "/runs/crons", {
                ...{ assistant_id: "echo", schedule: "0 3 * * *", input: { messages: [] } },
              })
            ).body.cron_id,
          ),
      };
    },
  },
  threads("thread", (agents) => agents.threadInputs()),
  {
    ...threads("copy", (agents, template) => ({ deploymentId: agents.deploymentId, copyFrom: template })),
    ...{ idInput: undefined, createPath: "/threads/*/copy" },
  } as Kind,
];

function threads(noun: string, inputs: (agents: AgentPlatform, template: string) => PropertyMap): Kind {
  return {
    ...{ noun, idInput: "threadId", createPath: "/threads", path: "/threads" },
    async start(options) {
      const agents = await startAgents(options);
      const body = { metadata: { team: "support" } };
      const { thread_id: template } = (await agents.callAgentServer("POST", "/threads", body)).body;
      return {
        agents,
        declared: inputs(agents, template),
        changed: { metadata: { graph_id: "echo", team: "sales" } },
        stack: agents.stack,
        ids: async () => (await agents.threads()).map(({ thread_id }) => thread_id).filter((id) => id !== template),
        createForeign: async (id) =>
          (await agents.callAgentServer("POST", "/threads", { thread_id: id, metadata: { customer: "ada" } })).body
            .thread_id,
      };
    },
  };
}
