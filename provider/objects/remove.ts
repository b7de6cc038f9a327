/** Deletes an object, or says why not: what belongs to others stays, and so does what depends on an unknown. */
import { sendWithRouteRetry, UnsupportedError } from "../api/profile/learned-profile";
import type { Context, RetainedResource } from "../definition/context";
import { HttpError, recover } from "../http/errors";
import { UserError } from "../text/user-error";
import type { ObjectKind, OwnedInputs, OwnedState, RemoteObject } from "./kind";
import { foreignOwner } from "./ownership";
import type { AgentEndpoint } from "./server/endpoint";

/** `unsupported`: the server does not support deletion. `unreachable`: no agent server responds at its URL any more. */
type Removal = "gone" | "unsupported" | "unreachable";

/** Deletes what is certainly ours. @throws HttpError when its deployment exists, but no agent server responds. */
export async function removeObject<R>(
  { noun, read, remove }: Pick<ObjectKind<OwnedInputs, OwnedState, R & RemoteObject>, "noun" | "read" | "remove">,
  id: string,
  endpoint: AgentEndpoint,
  ctx: Context,
): Promise<Removal> {
  const { server, deploymentId } = endpoint;
  let isReachable = true;
  // Nothing but the URL identifies some servers, so only time shows whether one is gone or restarting.
  const isAway = ({ isNotFound }: HttpError) => isNotFound && deploymentId === undefined;
  const exists = async () => {
    const found = await read(id, endpoint, ctx).catch(recover(isAway, () => "unreachable" as const));
    isReachable = found !== "unreachable";
    return found !== undefined;
  };
  try {
    await server.profile.remove(`${noun}s-delete`, { send: () => remove(id, endpoint), exists });
    return "gone";
  } catch (error) {
    // A server that had the route before may have ended since.
    const isLost = !isReachable && error instanceof HttpError && error.isUnsupportedRoute;
    if (!isLost && !(error instanceof UnsupportedError)) throw error;
    return isReachable ? "unsupported" : "unreachable";
  }
}

/** @throws OwnershipError when the server would delete what belongs to others. @throws UserError when it stays. */
export async function deleteObject<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  { id, previous }: { id: string; previous: I & Partial<S> },
  endpoint: AgentEndpoint,
  ctx: Context,
): Promise<RetainedResource | "gone"> {
  const { url } = endpoint.server;
  const what = `${kind.kind} ${id}`;
  const kept = (reason: string, note = "") => ({
    warning: `${what} ${reason}. It was removed from this stack's state only.${note}`,
  });
  const found = await findOrNot(() => kind.read(id, endpoint, ctx), endpoint, ctx);
  if (found === undefined) return "gone";
  if (typeof found !== "string") {
    const owner = foreignOwner(kind, found, previous, ctx);
    if (owner !== undefined) return kept(`at ${url} was not deleted, because ${owner}`);
    await kind.beforeDelete?.(found, previous, endpoint, ctx);
  }
  const removal = typeof found === "string" ? found : await removeObject(kind, id, endpoint, ctx);
  if (removal === "gone") return removal;
  const { unreachable, unsupported } = kind.deletion;
  if (removal === "unreachable")
    return kept(`was not deleted, because no agent server is responding at ${url} (404)`, ` ${unreachable}`);
  if (unsupported !== undefined)
    return kept(`was not deleted, because the server at ${url} does not support deletion`, ` ${unsupported}`);
  throw new UserError(
    `${what} was not deleted: ${url} rejects the request, although it still has the ${kind.noun}. State is ` +
      "unchanged. Run the command again. If it fails again, a proxy or a replica of the server is faulty; ask " +
      "its operators.",
  );
}

/** Nothing but a URL from the program identifies some servers, so only time shows whether one is gone or restarting. */
async function findOrNot<R extends RemoteObject>(
  find: () => Promise<R | undefined>,
  { deploymentId }: AgentEndpoint,
  { clock }: Context,
): Promise<R | undefined | "unreachable" | "unsupported"> {
  try {
    return await sendWithRouteRetry(find, clock);
  } catch (error) {
    if (error instanceof UnsupportedError) return "unsupported";
    if (!(error instanceof HttpError) || !error.isNotFound || deploymentId !== undefined) throw error;
    return "unreachable";
  }
}
