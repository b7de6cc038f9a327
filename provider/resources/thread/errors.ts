/** The errors of creates of threads. */
import type { Thread } from "../../api/agent-server/client";
import { describeSibling, OwnershipError } from "../../definition/ownership";
import { type HttpError, ignoreHttpError } from "../../http/errors";
import { importIdOf } from "../../objects/endpoint";
import { formatRemedies } from "../../objects/messages";
import { markerPlace } from "../../objects/metadata";
import { UserError } from "../../text/user-error";
import { THREAD } from "./fields";
import { type Attempt, isSiblingThread } from "./ownership";
import { findSuperstepProblem } from "./supersteps";

/** Returns the error about a thread with the requested ID that this resource did not create. @param failure Of the request. */
export function toConflictError(thread: Thread, attempt: Attempt, failure?: HttpError): Error {
  const { server, desired, ctx } = attempt;
  const { threadId: id } = thread;
  if (failure && failure.status !== 409)
    return failure.withHint(
      `Thread ${id} exists at ${server.url} since then, but nothing shows that this request created it, so it was not changed.\n${formatRemedies(THREAD, [id], attempt)}`,
    );
  if (isSiblingThread(thread, ctx))
    return new OwnershipError(
      `threadId: thread ${id} at ${server.url} ${describeSibling(undefined, ctx.marker, markerPlace(THREAD.keys))}`,
    );
  return new OwnershipError(
    `threadId: thread ${id} already exists at ${server.url}, and this resource did not create it with its current inputs. No changes were made.\n` +
      `To adopt it, add to the resource options:  import: "${importIdOf(THREAD.kind, id, desired, ctx)}"\nTo create a new one, choose another threadId or omit it.`,
  );
}

/** Returns the error about a response to the create request that contains another thread than the requested one. */
export const toUnmarkedError = ({ threadId: id }: Thread, attempt: Attempt): OwnershipError =>
  new OwnershipError(
    `The response to the create request contains thread ${id} at ${attempt.server.url}, whose metadata lack the ownership marker that was sent, so it may belong to someone else. It was not changed.\n` +
      formatRemedies(THREAD, [id], attempt),
  );

const UNEXPLAINED =
  "The server did not apply the supersteps. Check that metadata.graph_id names a graph of this server and asNode a node of that graph.";

/** Returns the error of a request whose supersteps were not applied. @param outcome What became of the thread. */
export async function explainFailure(failure: HttpError, outcome: string, attempt: Attempt): Promise<Error> {
  const problem = await findSuperstepProblem(attempt.desired, attempt.server).catch(ignoreHttpError);
  const hint = `${problem ?? UNEXPLAINED} ${outcome}`;
  if (!failure.isUnexpected) return failure.withHint(hint);
  // The server's success status is not what the user asks about.
  const { method, path, detail, originLines } = failure;
  const what = `${method} ${path}: the server created the thread, but did not apply its supersteps: ${detail}`;
  return new UserError([what, hint, ...originLines].join("\n"));
}
