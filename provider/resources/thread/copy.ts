/** Copying a thread: the server chooses the ID, and only its response tells which one it made. */
import type { Thread } from "../../api/agent-server/client";
import type { Context, Made } from "../../definition/definition";
import { RequestError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { inTurn, patiently } from "../shared/idempotent-create";
import { sendOptional } from "../shared/optional-route";
import { complete, confirmedOf } from "./complete";
import type { Place } from "./endpoint";
import type { Inputs, State } from "./fields";
import { copiesLike, idsOf, remediesFor, warnOfLeftovers } from "./leftovers";
import { toState } from "./mapping";
import { type Attempt, attemptOf, findMarked, startOf } from "./ownership";

export async function copyThread(wanted: Inputs, place: Place, ctx: Context): Promise<Made<State>> {
  const attempt = attemptOf(wanted, place, ctx);
  const { own: earlier } = await findMarked(attempt);
  if (earlier) ctx.warn(`Resuming Thread ${earlier.threadId}: an earlier run of this resource made this copy.`);
  // One after the other, so that none is suspected of being what another one's lost response was about.
  const thread = earlier ?? (await inTurn(`${place.server.url} ${wanted.copyFrom}`, () => copied(attempt)));
  // So that no other copy of this run takes it for one that was left.
  ctx.createdInRun.add(thread.threadId);
  return {
    id: thread.threadId,
    state: toState(thread, place),
    confirmed: confirmedOf(thread, wanted),
    ready: () => completeCopy(thread, attempt),
  };
}

/** A copy begins with the metadata of its source: what is declared is set, and the marker. */
export async function completeCopy(thread: Thread, attempt: Attempt, removed?: Inputs["metadata"]): Promise<State> {
  try {
    return await complete(thread, attempt, removed);
  } finally {
    await warnOfLeftovers(thread, attempt);
  }
}

async function copied({ server, wanted: { copyFrom: source = "" }, ctx }: Attempt): Promise<Thread> {
  const startedAt = startOf(server, ctx);
  const exists = async () => (await server.look(source)) !== undefined;
  try {
    const result = await sendOptional({ send: () => server.copyThread(source), exists, clock: ctx.clock });
    if ("response" in result) return result.response;
    throw "gone" in result ? sourceMissing(result.gone, source, server.url) : result.missing;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    // Servers say 409 of a source that is not there (interface-notes section 4).
    if (error.status === 409 && !(await exists())) throw sourceMissing(error, source, server.url);
    if (!error.mayHaveActed) throw error;
    const look = async () => copiesLike(await server.getThread(source), source, startedAt(), { server, ctx });
    throw lost(error, await patiently(look, error, ctx.clock, NEXT_UP), source, server.url);
  }
}

/** A copy is not found again: nothing on it tells who asked for it. */
const NEXT_UP = "Run `pulumi up` again, which makes another copy, and warns of this one if it finds it.";

const sourceMissing = ({ status, detail }: RequestError, source: string, url: string) =>
  new UserError(
    `copyFrom: there is no thread ${source} at ${url} (it said ${status}: ${detail}). Nothing was created. A copy and its source are on the same agent server: write the id of a thread there.`,
  );

/** Nothing on a copy tells who asked for it, so none is taken for ours: it may be a customer's. */
function lost(error: RequestError, found: readonly Thread[], source: string, url: string): RequestError {
  if (found.length === 0)
    return error.advised(
      `No copy of ${source} is there, so it was not made as far as can be seen. Run \`pulumi up\` again; should one appear later on, nothing refers to it, and it can be deleted.`,
    );
  return error.advised(
    `Whether the copy was made is not known. These copies of ${source} began since then, and nothing tells who asked for them: ${idsOf(found)}. If none is yours, run \`pulumi up\` again, which makes another copy.\n${remediesFor(found, url)}`,
  );
}
