/** The arguments that name an agent server, as in the inputs of the resources on it. */
import { z } from "zod";
import { optionalName } from "../../schema/schema";

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
