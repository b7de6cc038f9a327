/** Deletes an object if its server supports it. */
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import { sendRemoval } from "../optional-route";
import { type AgentEndpoint, findOnServer } from "./endpoint";

/** `unsupported`: the server does not support deletion. `unreachable`: no agent server responds at its URL any more. */
export type Removal = "gone" | "unsupported" | "unreachable";

export interface RemovalRequest {
  /** Sends the DELETE. */
  send: () => Promise<void>;
  /** Returns the object; undefined when the server responded and it does not exist. */
  find: () => Promise<unknown>;
  /** What the route is called, such as `DELETE thread`. */
  route: string;
}

/** @throws HttpError when no agent server responds, although the deployment of the object exists. */
export async function removeFromServer(
  { send, find, route }: RemovalRequest,
  endpoint: AgentEndpoint,
  ctx: Pick<Context, "clock" | "clients">,
): Promise<Removal> {
  const { server, deploymentId } = endpoint;
  let isReachable = true;
  const exists = async () => {
    try {
      isReachable = true;
      return (await findOnServer(find, endpoint, ctx)) !== undefined;
    } catch (error) {
      // Nothing but the URL identifies this server, so only time shows whether it is gone or restarting.
      if (!(error instanceof HttpError) || !error.isNotFound || deploymentId !== undefined) throw error;
      isReachable = false;
      return true;
    }
  };
  const result = await sendRemoval({ send, exists, clock: ctx.clock, route, support: server.routes }).catch(
    (error: unknown) => {
      // A server that had the route before may have ended since.
      if (isReachable || !(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
      return { missing: error };
    },
  );
  if (!("missing" in result)) return "gone";
  return isReachable ? "unsupported" : "unreachable";
}
