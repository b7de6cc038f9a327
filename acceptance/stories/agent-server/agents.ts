/** The agent server of stories about assistants and crons, and its default assistants, which no story may change. */
import { agentUrlOf } from "../../statements/check.ts";
import { type Api, describe, ok } from "../../target/http.ts";
import { createDeployment } from "../fixture.ts";
import { expect, type Run, type Story, type Told } from "../story.ts";

export const lacksGraph: Story["lacks"] = ({ server, options }) =>
  !options.agentUrl && !(server.controlPlane && options.image)
    ? "neither --agent-url nor --image was given"
    : options.graph
      ? undefined
      : "--graph was not given";

/** What such a story creates, for the announcement. */
export const creates =
  (what: string): Story["creates"] =>
  ({ options }: Run) => {
    const deployments = options.agentUrl ? 0 : 1;
    return { text: deployments ? `1 deployment with ${what}` : what, deployments, rollouts: deployments };
  };

export interface AgentServer {
  api: Api;
  graph: string;
  /** Inputs of a resource that name the server. */
  inputs: { deploymentId: string } | { deploymentUrl: string };
}

/** Returns the agent server of --agent-url, or that of a new deployment of --image. */
export async function agentServerOf(told: Told): Promise<AgentServer> {
  const { server, options } = told.run;
  const { agentUrl, graph = "" } = options;
  if (agentUrl) return { api: server.agentServer(agentUrl), graph, inputs: { deploymentUrl: agentUrl } };
  const { live } = await told.step("create a deployment", () => createDeployment(told));
  const api = server.agentServer(agentUrlOf(live.body) ?? "");
  return { api, graph, inputs: { deploymentId: live.body.id } };
}

/** Returns all default assistants as text; undefined if the server has no assistants. */
export async function defaultsOf(api: Api): Promise<string | undefined> {
  const reply = await api.post("/assistants/search", { metadata: { created_by: "system" }, limit: 1000 });
  if ([404, 405, 501].includes(reply.status)) return undefined;
  expect(ok(reply), "a search for the default assistants succeeds", describe(reply));
  const all: { assistant_id: string }[] = reply.body;
  return JSON.stringify(all.sort((one, other) => one.assistant_id.localeCompare(other.assistant_id)));
}
