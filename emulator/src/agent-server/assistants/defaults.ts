import { type DeploymentRecord, deploymentById } from "../../control-plane/model/records";
import { commandsFor } from "../../runtime/agents/commands";
import type { Context } from "../../runtime/context";
import { graphsOf } from "../graphs/of-deployment";
import { uuid5 } from "../ids";
import { traitsOf } from "../server/server-traits";
import {
  type AssistantContent,
  type AssistantRecord,
  assistantById,
  assistantsOf,
  deleteAssistantRecord,
  insertAssistant,
  restartVersions,
  updateAssistant,
} from "./records";

/** The namespace of default assistant IDs on real servers. */
const graphNamespace = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** Returns the ID of the default assistant of a graph. */
export function defaultAssistantId(graph: string): string {
  return uuid5(graphNamespace, graph);
}

/** What the default assistants say in their metadata. Clients can write it, too. */
const systemMetadata = { created_by: "system" };

function defaultContent(graph: string): AssistantContent {
  return { graph_id: graph, name: graph, description: null, config: {}, context: {}, metadata: systemMetadata };
}

/** Creates the missing default assistants of a deployment, as each start of its agent server does. */
export function startAgentServer(context: Context, deploymentId: string): void {
  const deployment = deploymentById(context.store, deploymentId);
  if (!deployment || deployment.active_revision_id === null || commandsFor(context.settings, deployment)) return;
  const graphs = Object.keys(graphsOf(context, deployment));
  if (traitsOf(context).restoresDefaults) deleteOtherSystemAssistants(context, deployment, graphs);
  for (const graph of graphs) ensureDefault(context, deployment, graph);
}

/** Starts the agent servers of all deployments, as the start of the emulator does. */
export function startAgentServers(context: Context): void {
  for (const { id } of context.store.all("SELECT id FROM deployments ORDER BY seq"))
    startAgentServer(context, String(id));
}

function deleteOtherSystemAssistants({ store }: Context, { id }: DeploymentRecord, graphs: readonly string[]): void {
  const defaults = graphs.map(defaultAssistantId);
  for (const assistant of assistantsOf(store, id)) {
    if (isSystem(assistant) && !defaults.includes(assistant.id)) deleteAssistantRecord(store, assistant);
  }
}

function ensureDefault(context: Context, { id: deployment_id }: DeploymentRecord, graph: string): void {
  const id = defaultAssistantId(graph);
  const existing = assistantById(context.store, deployment_id, id);
  const content = defaultContent(graph);
  if (!existing) insertAssistant(context, { ...content, id, deployment_id });
  else if (isSystem(existing)) restore(context, existing, content);
}

function restore(context: Context, assistant: AssistantRecord, content: AssistantContent): void {
  const { name, description } = content;
  if (traitsOf(context).restoresDefaults) {
    if (assistant.version === 1 && isUnchanged(assistant, content)) return;
    updateAssistant(context, assistant, { ...content, version: 1 });
    restartVersions(context, assistant);
  } else if (!isUnchanged(assistant, { name, description })) updateAssistant(context, assistant, { name, description });
}

function isUnchanged(assistant: AssistantRecord, content: Partial<AssistantContent>): boolean {
  return Object.entries(content).every(
    ([name, value]) => JSON.stringify(Reflect.get(assistant, name)) === JSON.stringify(value),
  );
}

function isSystem({ metadata }: AssistantRecord): boolean {
  return metadata.created_by === systemMetadata.created_by;
}
