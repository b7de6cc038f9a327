/** The agent server whose objects a function reads. */
import { z } from "zod";
import type { AgentServerClient } from "../../api/agent-server/client";
import type { Clients } from "../../api/clients";
import { optionalName } from "../../schema/schema";
import { UserError } from "../../text/user-error";

/** The agent server, as in the inputs of the resources on it. */
export const serverArgs = {
  deploymentId: optionalName(
    "ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`.",
  ),
  deploymentUrl: z
    .url()
    .optional()
    .describe("Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`."),
};
export const exactlyOneServer = [["deploymentId", "deploymentUrl"]] as const;
export interface ServerArgs {
  deploymentId?: string | undefined;
  deploymentUrl?: string | undefined;
}
/**
 * @param nouns What is read, in the plural, for errors.
 * @throws UserError when the deployment does not exist, or has no URL.
 */
export async function resolveServer(
  nouns: string,
  { deploymentId = "", deploymentUrl }: ServerArgs,
  { agentServers }: Clients,
): Promise<AgentServerClient> {
  if (deploymentUrl !== undefined) return agentServers.serverFromUserUrl(deploymentUrl);
  const deployment = await agentServers.findDeployment(deploymentId);
  if (!deployment) {
    throw new UserError(
      `No deployment with ID ${deploymentId} exists in this workspace. Check the ID and the setting tenantId.`,
    );
  }
  const server = agentServers.serverOf(deployment);
  if (server) return server;
  throw new UserError(
    `Deployment ${deploymentId} has no URL (status ${deployment.status}), so its ${nouns} cannot be reached. Check that a revision of it is live.`,
  );
}
