/** Deletes a thread if its server supports it. */
import type { AgentServerClient } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { sendRemoval } from "../shared/optional-route";

/** @returns Whether the thread no longer exists; false when the server does not support deletion. */
export async function removeThread(
  id: string,
  server: AgentServerClient,
  { clock }: Pick<Context, "clock">,
): Promise<boolean> {
  const exists = async () => (await server.findThread(id)) !== undefined;
  const result = await sendRemoval({
    send: () => server.deleteThread(id),
    exists,
    clock,
    route: "DELETE thread",
    support: server.routes,
  });
  return !("missing" in result);
}
