/** Deleting a thread, where its server can. */
import type { AgentServerClient } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { sendRemoval } from "../shared/optional-route";

/** @returns Whether the thread is gone; false where the server has no way to delete. */
export async function removeThread(
  id: string,
  server: AgentServerClient,
  { clock }: Pick<Context, "clock">,
): Promise<boolean> {
  const exists = async () => (await server.findThread(id)) !== undefined;
  const result = await sendRemoval({ send: () => server.deleteThread(id), exists, clock });
  return !("missing" in result);
}
