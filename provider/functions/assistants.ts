/** The functions for assistants (API `4B.POST /assistants`). */
import { z } from "zod";
import {
  type Assistant,
  assistantInfoSchema,
  assistantSchemasSchema,
  isDefaultAssistant,
} from "../api/agent-server/assistants";
import type { AgentServerClient } from "../api/agent-server/client";
import { exactlyOneServer, serverArgs } from "../api/agent-server/server-args";
import { describeUnknownGraph, suggestAssistant } from "../api/agent-server/unknown-graph";
import { collectAll } from "../api/pagination";
import { defaultAssistantId } from "../schema/id";
import { fieldMetadata, optionalName } from "../schema/schema";
import { UserError } from "../text/user-error";
import { defineFunction } from "./definition";
import { batched, exactlyOne, type Lister, MAX_SEARCHES } from "./shared/by-name";

const assistantInfo = z
  .object({
    ...assistantInfoSchema.shape,
    isDefault: z.boolean().describe("Whether the server made it for a graph; runs that name the graph use it."),
  })
  .register(fieldMetadata, { interface: "AssistantInfo", description: "An assistant of an agent server." });
const toInfo = (assistant: Assistant) => ({ ...assistant, isDefault: isDefaultAssistant(assistant) });

const assistantId = z.guid().describe("ID of the assistant.");
const graphId = optionalName("Name of the graph. Defaults to all graphs.");

export const getAssistant = defineFunction({
  name: "getAssistant",
  description: "Returns one assistant of an agent server, by its ID or its exact name.",
  example: { plain: '{ deploymentId, name: "concierge" }', output: '{ deploymentId: agent.id, name: "concierge" }' },
  args: z.strictObject({
    ...serverArgs,
    assistantId: assistantId.optional().describe("ID of the assistant. Specify either `assistantId` or `name`."),
    name: optionalName("Exact name of the assistant. Specify either `assistantId` or `name`."),
    graphId,
  }),
  exactlyOne: [...exactlyOneServer, ["assistantId", "name"]],
  result: assistantInfo,
  async read({ assistantId, name = "", graphId, ...server }, clients) {
    const agent = await clients.agentServers.resolve("assistants", server);
    if (assistantId === undefined) return toInfo(await findByName(agent, { name, graphId }));
    const assistant = await agent.assistants.peek(assistantId);
    if (!assistant) throw await toMissingError(assistantId, agent);
    if (graphId === undefined || assistant.graphId === graphId) return toInfo(assistant);
    throw new UserError(
      `Assistant ${assistantId} configures the graph "${assistant.graphId}", not "${graphId}". Correct one of them.`,
    );
  },
});

export const getAssistants = defineFunction({
  name: "getAssistants",
  description:
    "Returns all assistants of an agent server that match every filter, also those that the server made for " +
    "its graphs.",
  example: { plain: '{ deploymentId, graphId: "agent" }', output: '{ deploymentId: agent.id, graphId: "agent" }' },
  args: z.strictObject({
    ...serverArgs,
    graphId,
    name: optionalName("Part of the name, in any case."),
    metadata: assistantInfoSchema.shape.metadata.describe(
      "Metadata that the assistants contain, by key. Keys keep their spelling.",
    ),
  }),
  exactlyOne: exactlyOneServer,
  result: z.array(assistantInfo),
  async read({ deploymentId, deploymentUrl, ...query }, clients) {
    const { assistants } = await clients.agentServers.resolve("assistants", { deploymentId, deploymentUrl });
    return (await collectAll(assistants.list(query))).map(toInfo);
  },
});

export const getAssistantVersions = defineFunction({
  name: "getAssistantVersions",
  description: "Returns all versions of an assistant, newest first.",
  example: { plain: "{ deploymentId, assistantId }", output: "{ deploymentId: agent.id, assistantId: concierge.id }" },
  args: z.strictObject({ ...serverArgs, assistantId }),
  exactlyOne: exactlyOneServer,
  result: z.array(assistantInfoSchema),
  async read({ assistantId, ...server }, clients) {
    const agent = await clients.agentServers.resolve("assistants", server);
    const versions = await agent.assistants.listVersions(assistantId);
    if (versions.length > 0) return versions;
    throw await toMissingError(assistantId, agent);
  },
});

export const getAssistantSchemas = defineFunction({
  name: "getAssistantSchemas",
  description:
    "Returns the JSON Schemas of the graph of an assistant: its input, output, state, configuration and context.",
  example: { plain: '{ deploymentId, graphId: "agent" }', output: '{ deploymentId: agent.id, graphId: "agent" }' },
  args: z.strictObject({
    ...serverArgs,
    assistantId: assistantId.optional().describe("ID of the assistant. Specify either `assistantId` or `graphId`."),
    graphId: optionalName("Name of the graph. Specify either `assistantId` or `graphId`."),
  }),
  exactlyOne: [...exactlyOneServer, ["assistantId", "graphId"]],
  result: assistantSchemasSchema,
  async read({ assistantId, graphId = "", ...server }, clients) {
    const agent = await clients.agentServers.resolve("assistants", server);
    const schemas = await agent.assistants.getSchemas(assistantId ?? defaultAssistantId(graphId));
    if (schemas) return schemas;
    if (assistantId === undefined) await assertGraph(graphId, agent);
    else if (!(await agent.assistants.peek(assistantId))) throw await toMissingError(assistantId, agent);
    const graph = assistantId === undefined ? `graph "${graphId}"` : `the graph of assistant ${assistantId}`;
    throw new UserError(
      `The agent server at ${agent.url} returned no schemas of ${graph}. Either it does not exist there, ` +
        "or the server cannot derive them. Check its name, and the log of the agent.",
    );
  },
});

async function toMissingError(id: string, agent: AgentServerClient): Promise<UserError> {
  const suggestion = await suggestAssistant(id, agent);
  return new UserError(
    (
      `No assistant with ID ${id} exists on the agent server at ${agent.url}. ` +
      `Check the ID, and deploymentId or deploymentUrl. ${suggestion}`
    ).trimEnd(),
  );
}

/** @throws UserError when the server certainly lacks the graph. */
async function assertGraph(graphId: string, agent: AgentServerClient): Promise<void> {
  const unknownGraph = await describeUnknownGraph(graphId, agent);
  if (unknownGraph !== undefined) throw new UserError(unknownGraph.replace(/^t/, "T"));
}

const lister: Lister<Assistant> = {
  noun: "assistant",
  nameOf: ({ name }) => name,
  idOf: ({ assistantId }) => assistantId,
};

interface NameQuery {
  name: string;
  graphId: string | undefined;
}

async function findByName(agent: AgentServerClient, query: NameQuery): Promise<Assistant> {
  return findByKey(agent, JSON.stringify(query)).catch(async (error: unknown) => {
    if (query.graphId !== undefined) await assertGraph(query.graphId, agent);
    throw error;
  });
}

/** Finds assistants by queries, which are passed as JSON. Several may have one name, so every page is read. */
const findByKey = batched<AgentServerClient, Assistant>(async (keys, { assistants }) => {
  const queries = keys.map((key) => JSON.parse(key) as NameQuery);
  const listAll = () => collectAll(assistants.list());
  const isFew = queries.length <= MAX_SEARCHES;
  const found = isFew
    ? await Promise.all(queries.map((query) => collectAll(assistants.list(query))))
    : [await listAll()];
  const matching = (all: readonly Assistant[], { name, graphId }: (typeof queries)[number]) =>
    exactlyOne(
      lister,
      name,
      all.filter((item) => graphId === undefined || item.graphId === graphId),
    );
  const results = queries.map((query) => matching(found.flat(), query));
  // The error names others, which a search by name does not return.
  if (!isFew || !queries.some(({ name }) => !found.flat().some((item) => item.name === name))) return results;
  const all = await listAll();
  return queries.map((query) => matching(all, query));
});
