/** Makes an existing assistant what the program declares, with one request, or none if it is that already. */
import type { Assistant } from "../../api/agent-server/assistants";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { HttpError } from "../../http/errors";
import type { AgentEndpoint } from "../shared/agent-server/endpoint";
import { pollForCreated } from "../shared/idempotent-create";
import type { Inputs } from "./fields";
import { toGraphError } from "./graph";
import { toUpdateRequest } from "./mapping";
import { findAssistant } from "./on-server";

/** What an assistant shall become. */
export interface Target {
  /** The declared inputs, with what takes the place of those that are no longer declared. */
  expected: Inputs;
  /** The metadata of the ownership marker. */
  marker: Record<string, string>;
  endpoint: AgentEndpoint;
  ctx: Context;
}

/** Returns the assistant with its new version, or unchanged if nothing differs. */
export async function completeAssistant(assistant: Assistant, target: Target): Promise<Assistant> {
  const { expected, marker, endpoint, ctx } = target;
  const change = toUpdateRequest(assistant, expected, marker);
  if (!change) return assistant;
  const { assistantId: id } = assistant;
  const updated = await endpoint.server.assistants
    .update(id, change)
    .catch((error: unknown) => settleFailure(error, id, target));
  const ignored = Object.keys(toUpdateRequest(updated, expected, {}) ?? {});
  if (ignored.length > 0)
    ctx.log.warn(
      `The server did not store ${ignored.join(", ")} of assistant ${id} as declared. Compare its response.`,
    );
  return updated;
}

/** Returns the assistant if the request was applied although it failed: sent again, it would make another version. */
async function settleFailure(error: unknown, id: string, { expected, marker, endpoint, ctx }: Target) {
  if (!(error instanceof HttpError)) throw error;
  const find = () => findAssistant(id, endpoint, ctx);
  if (error.isNotFound)
    throw (await find()) ? await toGraphError(error, expected.graphId, endpoint) : toDeletedError(id);
  if (!error.outcomeUnknown) throw error;
  const findUpdated = async () => {
    const found = await find();
    return found && !toUpdateRequest(found, expected, marker) ? [found] : [];
  };
  const [updated] = await pollForCreated(findUpdated, error, ctx.clock, NEXT_UP);
  if (updated) return updated;
  throw error.withHint(`The assistant does not have the change, so it was probably not applied. ${NEXT_UP}`);
}

const NEXT_UP = "Run `pulumi up` again: it reads the assistant, and sends a change only if one is missing.";

export const toDeletedError = (id: string): OwnershipError =>
  new OwnershipError(
    `Assistant ${id} no longer exists on its server, so it cannot be changed. Run \`pulumi up --refresh\` to create it again.`,
  );
