/** The graphs of an agent server, for messages about one that does not exist. */
import { isDefaultAssistant } from "../../api/agent-server/assistants";
import type { AgentServerClient } from "../../api/agent-server/client";
import { collectAll } from "../../api/pagination";
import { inPlaceOf } from "../../http/errors";
import { closestMatch } from "../../text/did-you-mean";

/**
 * Describes that a server has no such graph, and which it has instead.
 * @param cause What the server said, if a request failed.
 * @returns Undefined when the server may have it: it lists no graphs, or this one.
 */
export async function describeUnknownGraph(
  graphId: string,
  server: AgentServerClient,
  cause = "",
): Promise<string | undefined> {
  const names = await graphsOf(server);
  if (names.length === 0 || names.includes(graphId)) return undefined;
  return `the agent server at ${server.url} has no graph "${graphId}"${cause}. ${suggest(graphId, names)}`;
}

/** Returns the names of the graphs; none where the server does not list its default assistants. */
async function graphsOf(server: AgentServerClient): Promise<string[]> {
  const assistants = await collectAll(server.assistants.list()).catch(inPlaceOf(({ isRejection }) => isRejection, []));
  return assistants.filter(isDefaultAssistant).flatMap(({ graphId }) => graphId ?? []);
}

/** Returns what the user may have meant. */
export function suggest(name: string, candidates: readonly string[]): string {
  const suggestion = closestMatch(name, candidates);
  return suggestion ? `Did you mean "${suggestion}"?` : `It has ${candidates.join(", ")}.`;
}
