/** What an agent server has in place of a graph or an assistant that it does not have. */
import { inPlaceOf } from "../../http/errors";
import { closestMatch, suggest, suggestObject } from "../../text/did-you-mean";
import { collectAll } from "../pagination";
import { type Assistant, isDefaultAssistant } from "./assistants";
import type { AgentServerClient } from "./client";

/** Describes that a server lacks a graph; undefined if it may have it. @param cause What the server said. */
export async function describeUnknownGraph(
  graphId: string,
  server: AgentServerClient,
  cause = "",
): Promise<string | undefined> {
  const names = graphsIn(await listAssistants(server));
  if (names.length === 0 || names.includes(graphId)) return undefined;
  return `the agent server at ${server.url} has no graph "${graphId}"${cause}. ${suggest(graphId, names)}`;
}

/** Describes the same of a name where an assistant, which has an ID, may be meant as well. */
export async function describeUnknownTarget(name: string, server: AgentServerClient): Promise<string | undefined> {
  const unknownGraph = await describeUnknownGraph(name, server);
  if (unknownGraph === undefined || unknownGraph.includes("Did you mean")) return unknownGraph;
  const assistants = namedIn(await listAssistants(server));
  const meant = closestMatch(name, assistants.map(nameOf));
  const found = assistants.find((assistant) => nameOf(assistant) === meant);
  if (!found) return unknownGraph;
  return (
    `the agent server at ${server.url} has no graph "${name}". Did you mean the assistant "${meant}"? Its ID is ` +
    `${found.assistantId}.`
  );
}

/** Returns which assistant is meant by an ID that none has. */
export async function suggestAssistant(id: string, server: AgentServerClient): Promise<string> {
  const all = await listAssistants(server);
  const named = namedIn(all).map((assistant) => ({ id: assistant.assistantId, name: nameOf(assistant) }));
  if (named.length > 0) return suggestObject(id, named);
  const graphs = graphsIn(all);
  return graphs.length > 0 ? `Its graphs are ${graphs.join(", ")}: name one for its default assistant.` : "";
}

const listAssistants = (server: AgentServerClient): Promise<Assistant[]> =>
  collectAll(server.assistants.list()).catch(inPlaceOf(({ isRejection }) => isRejection, []));

const graphsIn = (assistants: readonly Assistant[]) =>
  assistants.filter(isDefaultAssistant).flatMap(({ graphId }) => graphId ?? []);
const namedIn = (assistants: readonly Assistant[]) => assistants.filter((one) => !isDefaultAssistant(one));
const nameOf = ({ name, assistantId }: Assistant) => name ?? assistantId;
