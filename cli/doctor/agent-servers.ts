/** Checks the agent servers on which the stack has assistants or crons, and whether these crons still serve a purpose. */
import type { AgentServerClient } from "../../provider/api/agent-server/client";
import { Clients } from "../../provider/api/clients";
import { kindOfToken } from "../../provider/definition/type-token";
import { parseUrn } from "../../provider/definition/urn";
import { realClock } from "../../provider/http/clock";
import { noRetry } from "../../provider/http/retry";
import type { Settings } from "../../provider/settings/settings";
import { UserError } from "../../provider/text/user-error";
import type { CommandContext } from "../shared/subcommand";
import type { Check, Group } from "./check";
import { checkCrons } from "./crons";
import type { StateResource } from "./state";

interface StateObject {
  kind: string;
  name: string;
  id: string;
  inputs: Record<string, unknown>;
}

/** Returns a group for each agent server of an assistant or a cron in state. */
export async function checkAgentServers(
  resources: readonly StateResource[],
  settings: Settings,
  { now }: CommandContext,
): Promise<Group[]> {
  const clients = new Clients(settings, { ...realClock, now }, noRetry);
  const byServer = Map.groupBy(objectsIn(resources), ({ inputs: { deploymentUrl, deploymentId } }) =>
    String(deploymentUrl ?? deploymentId),
  );
  return Promise.all([...byServer].map(([server, objects]) => checkAgentServer(server, objects, clients)));
}

const objectsIn = (resources: readonly StateResource[]): StateObject[] =>
  resources.flatMap((resource) => {
    const { type = "", urn = "", id, inputs = {} } = resource;
    const kind = kindOfToken(type) ?? "";
    if ((kind !== "Assistant" && kind !== "Cron") || !id || resource.delete) return [];
    return [{ kind, name: parseUrn(urn).name, id, inputs }];
  });

/** @param server The URL of the agent server, or the ID of its deployment. */
async function checkAgentServer(server: string, objects: readonly StateObject[], clients: Clients): Promise<Group> {
  const title = `Agent server of ${URL.canParse(server) ? new URL(server).origin : `deployment ${server}`}`;
  try {
    const agent = await findServer(server, clients);
    if (!agent) return { title, checks: [skipped("the deployment does not exist, or has no URL")] };
    const hasCrons = await agent.crons.areSupported();
    const crons = objects.filter(({ kind }) => kind === "Cron");
    return { title, checks: [supportCheck(hasCrons), ...(hasCrons === false ? [] : await checkCrons(crons, agent))] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { title, checks: [skipped(error.message)] };
  }
}

const skipped = (reason: string): Check => ({
  id: "agent-server",
  status: "skipped",
  message: `could not check its assistants and crons: ${reason}`,
});

function supportCheck(hasCrons: boolean | undefined): Check {
  const id = "agent-server";
  if (hasCrons === undefined) return { id, status: "note", message: "does not say whether it supports crons" };
  if (hasCrons) return { id, status: "ok", message: "reachable; supports assistants and crons" };
  return { id, status: "note", message: "reachable; supports no crons, so a Cron cannot be created on it" };
}

async function findServer(server: string, { agentServers }: Clients): Promise<AgentServerClient | undefined> {
  if (URL.canParse(server)) return agentServers.serverFromUserUrl(server);
  const url = (await agentServers.findDeployment(server))?.sourceConfig?.customUrl;
  return url ? agentServers.trustedServer(url) : undefined;
}
