import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { isObject } from "../../runtime/validation/validator";
import { emulatorVersion } from "../../runtime/version";
import { isOwned } from "../assistants/find";
import { type AssistantRecord, assistantById } from "../assistants/records";
import { findGraph } from "../graphs/of-deployment";
import type { Agent } from "../requests/auth";
import { type Call, SCOPE_HEADER } from "./a2a-send";
import { codes } from "./json-rpc";

const MODES = ["application/json", "text/plain"];

/** What a client may ask for besides the protocol. */
const HISTORY_SCOPE = {
  uri: "https://langchain.com/a2a/extensions/history-scope/v1",
  description: "Choose task-only or full-context response history",
  required: false,
  params: {
    ...{ header: SCOPE_HEADER, values: ["context", "task"], default: "context" },
    methods: ["SendMessage", "GetTask", "ListTasks"],
  },
};

/** Returns an assistant of the user whose graph exists, by its ID. */
export function findUsable(context: Context, agent: Agent, id: string): AssistantRecord | undefined {
  const assistant = assistantById(context.store, agent.deployment.id, id.toLowerCase());
  const isUsable = assistant && isOwned(context, agent, assistant) && findGraph(context, agent, assistant.graph_id);
  return isUsable ? assistant : undefined;
}

/** GET /a2a/{assistant_id} and GET /.well-known/agent-card.json: what an assistant is, for other agents. */
export function getAgentCard(
  context: Context,
  agent: Agent,
  { params, query, origin }: ApiRequest<{ assistant_id?: string }>,
): ApiResponse {
  const id = params.assistant_id ?? query.assistant_id;
  const reject = (message: string) => ({ status: 400, body: { error: { code: codes.invalidParams, message } } });
  if (id === undefined) return reject("Missing required query parameter: assistant_id");
  const assistant = findUsable(context, agent, id);
  if (!assistant) return reject(`Assistant '${id}' not found`);
  return { status: 200, body: toCard(context, agent, assistant, `${origin}/agents/${agent.deployment.id}`) };
}

/** Returns the agent card of the assistant of a request. */
export const cardOf = ({ context, agent, assistant, request: { origin } }: Call) =>
  toCard(context, agent, assistant, `${origin}/agents/${agent.deployment.id}`);

function toCard(context: Context, agent: Agent, assistant: AssistantRecord, base: string) {
  const { id, name, graph_id } = assistant;
  const { properties } = findGraph(context, agent, graph_id)?.schemas?.state ?? {};
  // The values of the user's own graphs are unknown.
  const fields = isObject(properties) ? Object.keys(properties).sort() : ["messages"];
  const description = assistant.description || `${name} assistant`;
  const url = `${base}/a2a/${id}`;
  const inputSchema = { required: [], properties: fields, supportsA2A: fields.includes("messages") };
  const skill = {
    ...{ id: `${id}-main`, name: `${name} Capabilities`, description, tags: ["assistant", "langgraph"], examples: [] },
    ...{ inputModes: MODES, outputModes: MODES, metadata: { inputSchema } },
  };
  return {
    ...{ name, description, url, version: emulatorVersion },
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: {
      ...{ streaming: true, pushNotifications: false, stateTransitionHistory: false },
      extensions: [HISTORY_SCOPE],
    },
    ...{ defaultInputModes: MODES, defaultOutputModes: MODES, skills: [skill] },
  };
}
