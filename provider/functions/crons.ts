/** The functions for crons (API `4B.POST /runs/crons`). */
import { z } from "zod";
import { type Cron, cronFields, cronSchema, NO_CRONS, NoCronsError, runFields } from "../api/agent-server/crons";
import { exactlyOneServer, serverArgs } from "../api/agent-server/server-args";
import { collectAll } from "../api/pagination";
import { defaultAssistantId, isUuid } from "../schema/id";
import { fieldMetadata, optionalName, optionalText } from "../schema/schema";
import { UserError } from "../text/user-error";
import { defineFunction } from "./definition";

const { payload: _, cronId, threadId, ...fields } = cronSchema.shape;
const cronInfo = z
  .object({
    ...{ cronId, ...cronFields, threadId, ...runFields },
    webhook: optionalText(
      "URL that the server requests when a run ends. Secret. Returned only with `withSecrets: true`.",
    ),
    ...fields,
  })
  .register(fieldMetadata, { interface: "CronInfo", description: "A cron of an agent server." });

/** What a cron passes to its runs is only part of the request that created it. */
const toInfo = ({ payload, ...fields }: Cron) => ({ ...payload, ...fields });

const withSecrets = z.boolean().optional().describe("Whether the result contains the webhook. Defaults to false.");

export const getCron = defineFunction({
  name: "getCron",
  description: "Returns one cron of an agent server, by its ID.",
  example: { plain: "{ deploymentId, cronId }", output: "{ deploymentId: agent.id, cronId: nightly.id }" },
  args: z.strictObject({ ...serverArgs, cronId: z.guid().describe("ID of the cron."), withSecrets }),
  exactlyOne: exactlyOneServer,
  result: cronInfo,
  secrets: ["webhook"],
  async read({ cronId, deploymentId, deploymentUrl }, clients) {
    const { crons, url } = await clients.agentServers.resolve("crons", { deploymentId, deploymentUrl });
    const cron = await crons.peek(cronId);
    if (cron) return toInfo(cron);
    if ((await crons.areSupported()) === false) throw new NoCronsError(NO_CRONS);
    throw new UserError(
      `No cron with ID ${cronId} exists on the agent server at ${url}. Check the ID, and deploymentId or ` +
        "deploymentUrl.",
    );
  },
});

export const getCrons = defineFunction({
  name: "getCrons",
  description: "Returns all crons of an agent server that match every filter.",
  example: { plain: "{ deploymentId, enabled: true }", output: "{ deploymentId: agent.id, enabled: true }" },
  args: z.strictObject({
    ...serverArgs,
    assistantId: optionalName("ID of the assistant, or the name of a graph for its default assistant."),
    threadId: optionalName("ID of the thread of their runs."),
    enabled: z.boolean().optional().describe("Whether they make runs."),
    metadata: cronFields.metadata.describe("Metadata that the crons contain, by key. Keys keep their spelling."),
    withSecrets,
  }),
  exactlyOne: exactlyOneServer,
  result: z.array(cronInfo),
  secrets: ["webhook"],
  async read({ deploymentId, deploymentUrl, assistantId, threadId, enabled, metadata }, clients) {
    const { crons } = await clients.agentServers.resolve("crons", { deploymentId, deploymentUrl });
    const isGraph = assistantId !== undefined && !isUuid(assistantId);
    const query = { assistantId: isGraph ? defaultAssistantId(assistantId) : assistantId, threadId, enabled, metadata };
    return (await collectAll(crons.list(query))).map(toInfo);
  },
});
