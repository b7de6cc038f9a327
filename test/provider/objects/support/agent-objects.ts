/** The kinds of objects on an agent server, as the situations of their creates need them. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { snakeCase } from "../../../../provider/text/format";
import { cronsOf } from "../../../support/agents/crons";
import { agentKinds } from "../../../support/agents/kinds";
import { type AgentKind, idKeyOf, isOfServer } from "../../../support/agents/kinds/kind";
import { type AgentPlatform, startAgents, superstep } from "../../../support/agents/threads";
import type { Stack, StackOptions } from "../../../support/stack";

/** A kind, with what the situations need of it. */
export interface Kind {
  noun: string;
  /** The input for its ID; absent where the server assigns it. */
  idInput?: string;
  /** The beginning of its keys in metadata. */
  keys: string;
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
  /** What a change of the program looks like that an update can make, and a further one. */
  changed: PropertyMap;
  again: PropertyMap;
  /** A change that leads to another object; absent where each change does. */
  replacing?: PropertyMap;
  /** Creates an object of someone else. */
  createForeign(id: string): Promise<string>;
  /** Creates an object of someone else from what the server returns of this one, with its ownership marker. */
  duplicate(id: string): Promise<unknown>;
}

export const STRANGERS = "11111111-2222-4333-8444-555555555555";

const { AGENT_SERVER } = globalThis as { AGENT_SERVER?: string };

const allKinds: Kind[] = [
  ...agentKinds.map((kind) => withRequestedId(kind as AgentKind<never>)),
  {
    ...{ noun: "cron", keys: "pulumi_cron", createPath: "/runs/crons", path: "/runs/crons" },
    async start(options) {
      const agents = await startAgents(options);
      const crons = cronsOf(agents);
      return {
        agents,
        declared: crons.inputs(),
        ...{ changed: { schedule: "0 4 * * *" }, again: { enabled: false }, replacing: { assistantId: "interrupt" } },
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
        duplicate: async (id) => {
          const { payload, metadata } = await crons.get(id);
          const body = { ...payload, config: {}, metadata, schedule: "30 5 * * *", input: { theirs: true } };
          return agents.callAgentServer("POST", "/runs/crons", body);
        },
      };
    },
  },
  threads("thread", (agents) => agents.threadInputs()),
  {
    ...threads("copy", (agents, template) => ({ deploymentId: agents.deploymentId, copyFrom: template })),
    ...{ idInput: undefined, createPath: "/threads/*/copy" },
  } as Kind,
];

/** A kind whose objects need nothing else on their server. */
function withRequestedId(kind: AgentKind): Kind {
  const { names, name, declared, changed } = kind;
  const path = `/${names.path}`;
  const idKey = idKeyOf(kind);
  const toWire = (inputs: PropertyMap) =>
    Object.fromEntries(Object.entries(inputs).map(([key, value]) => [snakeCase(key), value]));
  const restored = Object.fromEntries(Object.keys(changed).map((key) => [key, declared[key]]));
  return {
    ...{ noun: names.noun, idInput: `${names.noun}Id`, keys: names.keys.object, createPath: path, path },
    async start(options) {
      const agents = await startAgents(options);
      const list = async () =>
        (await agents.callAgentServer("POST", `${path}/search`, { limit: 100 })).body as unknown as PropertyMap[];
      const create = async (body: object) =>
        (await agents.callAgentServer("POST", path, body)).body as unknown as PropertyMap;
      return {
        agents,
        declared: { deploymentId: agents.deploymentId, ...declared },
        ...{ changed, again: restored },
        replacing: { deploymentId: undefined, deploymentUrl: agents.url + agents.basePath },
        stack: (stackOptions) => agents.stack({ kind: names.kind, name, ...stackOptions }),
        ids: async () =>
          (await list())
            .filter(({ metadata }) => !isOfServer((metadata ?? {}) as PropertyMap))
            .map((one) => String(one[idKey])),
        createForeign: async (id) => String((await create({ [idKey]: id, ...toWire(declared) }))[idKey]),
        duplicate: async (id) => {
          const { metadata } = (await agents.callAgentServer("GET", `${path}/${id}`)).body;
          return create({ ...toWire(declared), metadata });
        },
      };
    },
  };
}

/** The published server in JavaScript has no crons. */
export const kinds = allKinds.filter(({ noun }) => noun !== "cron" || AGENT_SERVER !== "javascript");

function threads(noun: string, inputs: (agents: AgentPlatform, template: string) => PropertyMap): Kind {
  return {
    ...{ noun, idInput: "threadId", keys: "pulumi_thread", createPath: "/threads", path: "/threads" },
    async start(options) {
      const agents = await startAgents(options);
      const body = { metadata: { team: "support" } };
      const { thread_id: template } = (await agents.callAgentServer("POST", "/threads", body)).body;
      return {
        agents,
        declared: inputs(agents, template),
        ...{ changed: { metadata: { graph_id: "echo", team: "sales" } }, again: { metadata: { team: "a" } } },
        replacing: { supersteps: [superstep({ messages: [] })] },
        stack: agents.stack,
        ids: async () => (await agents.threads()).map(({ thread_id }) => thread_id).filter((id) => id !== template),
        createForeign: async (id) =>
          (await agents.callAgentServer("POST", "/threads", { thread_id: id, metadata: { customer: "ada" } })).body
            .thread_id,
        duplicate: (id) => agents.callAgentServer("POST", `/threads/${id}/copy`),
      };
    },
  };
}
