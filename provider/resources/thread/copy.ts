/** Copying a thread: the server chooses the id, and what it answers is all that tells which one it made. */
import type { Thread } from "../../api/agent-server";
import { type Context, HeldError, type Made } from "../../definition";
import { PlainError, RequestError } from "../../http/errors";
import { inTurn, patiently } from "../../once";
import { withoutRoute } from "./create";
import { type Inputs, MARK, type State } from "./fields";
import { canonical } from "./identity";
import type { Place } from "./place";
import { type Attempt, attemptOf, carries, isUntouched, marked, startOf, wasThereBefore } from "./recognise";
import { changeBody, toInputs, toState, marked as withMark } from "./server-side";

/** What this process made: none of it settles another copy's lost answer. */
const made = new Set<string>();

export async function copyThread(wanted: Inputs, place: Place, ctx: Context): Promise<Made<State>> {
  const attempt = attemptOf(wanted, place, ctx);
  const [earlier] = await marked(attempt);
  if (earlier) ctx.warn(`Resuming Thread ${earlier.threadId}: an earlier run of this resource made this copy.`);
  // One after the other, so that a lost answer is settled by one copy and not by another resource's.
  const thread = earlier ?? (await inTurn(`${place.server.url} ${wanted.copyFrom}`, () => copied(attempt)));
  made.add(thread.threadId);
  const ready = async () => {
    const state = await dressed(thread, attempt);
    await tellOfOthers(thread, attempt).catch(unseen);
    return state;
  };
  return { id: thread.threadId, state: toState(thread, place), ready };
}

async function copied({ server, wanted: { copyFrom: source = "" }, ctx }: Attempt): Promise<Thread> {
  const startedAt = startOf(server, ctx);
  try {
    return await server.copyThread(source);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    // Servers say 409 of a source that is not there (interface-notes section 4).
    if ((error.status === 409 || error.isNotFound) && !(await server.look(source))) {
      throw new PlainError(
        `copyFrom: there is no thread ${source} at ${server.url} (it said ${error.status}: ${error.detail}). Nothing was created. A copy and its source are on the same agent server: write the id of a thread there.`,
      );
    }
    if (!error.mayHaveActed) throw error;
    return settled(error, await patiently(() => copiesOf(source, startedAt(), server), error, ctx.clock), source);
  }
}

/** The threads that began since then and are like the source, as its copies are until they are marked. */
async function copiesOf(source: string, since: number, server: Attempt["server"]): Promise<Thread[]> {
  return alike(await server.getThread(source), source, since, server);
}

/** @param model The source, or a copy as it was answered. */
async function alike({ metadata }: Thread, source: string, since: number, server: Attempt["server"]) {
  // A source that was made here gives its copies its own mark, which stays when the rest of it changes.
  const { [MARK]: mark } = metadata ?? {};
  const shared = mark === undefined ? (metadata ?? {}) : { [MARK]: mark };
  const found = await server.searchThreads(shared, 100);
  return found.filter(
    (thread) =>
      thread.threadId !== source &&
      !made.has(thread.threadId) &&
      !wasThereBefore(thread, since) &&
      (mark === undefined ? canonical(thread.metadata ?? {}) === canonical(shared) : thread.metadata?.[MARK] === mark),
  );
}

/**
 * A run that is killed between the answer and the mark leaves a copy that nothing refers to. Programs of the user copy
 * threads too, and theirs look the same: so it is never taken over, only named.
 */
async function tellOfOthers(thread: Thread, { wanted: { copyFrom: source = "" }, mark, server, ctx }: Attempt) {
  if (mark === undefined) return;
  // A copy as it is answered is like its source; one that an earlier run marked is no longer.
  const model = carries(thread, { mark }) ? await server.getThread(source) : thread;
  if (Object.keys(model.metadata ?? {}).length === 0) return;
  const found = await alike(model, source, server.now() - ctx.settings.resumeWithinMs, server);
  const [first, ...more] = found.filter(isUntouched).map(({ threadId }) => threadId);
  if (first === undefined) return;
  const listed = [first, ...more.slice(0, 4), ...(more.length > 4 ? ["…"] : [])].join(", ");
  ctx.warn(
    `At ${server.url} there are copies of ${source} that carry no mark and did not change since they were made: ${listed}. If nobody else made them, an interrupted run of this resource did, and nothing refers to them; this resource has ${thread.threadId}. To remove one:  DELETE ${server.url}/threads/${first}`,
  );
}

/** The copy stands, whether or not others can be looked for. */
function unseen(error: unknown): void {
  if (!(error instanceof RequestError)) throw error;
}

function settled(lost: RequestError, found: Thread[], source: string): Thread {
  const [copy, ...others] = found;
  if (copy && others.length === 0) return copy;
  if (!copy)
    throw lost.advised(
      `No copy of ${source} is there, so it was not made as far as can be seen. Run \`pulumi up\` again; should one appear later on, nothing refers to it, and it can be deleted.`,
    );
  throw lost.advised(
    `Several threads like ${source} appeared at the same time, so it is not known which is this copy: ${found.map(({ threadId }) => threadId).join(", ")}. Find it, and add to the resource's options:  import: "<its id>"`,
  );
}

/** A copy begins with the metadata of its source: what is declared is set, and the mark, by which the next run knows it. */
async function dressed(thread: Thread, attempt: Attempt): Promise<State> {
  const { wanted, mark, server } = attempt;
  const before = { metadata: toInputs(thread, wanted).metadata, ttl: wanted.ttl && (thread.ttl ?? undefined) };
  const change = changeBody(before, wanted);
  const metadata = { ...change?.metadata, ...withMark(mark) };
  if (!change && mark === undefined) return toState(thread, attempt);
  const changed = await server.updateThread(thread.threadId, { ...change, metadata }).catch(withoutRoute);
  if (changed || !change) return toState(changed ?? thread, attempt);
  const agreeing = Object.entries(before.metadata ?? {}).filter(([key]) => !Object.hasOwn(change.metadata ?? {}, key));
  const wrong = [
    ...Object.keys(change.metadata ?? {}).map((key) => `metadata.${key}`),
    ...("ttl" in change ? ["ttl"] : []),
  ];
  throw new HeldError(
    `Thread ${thread.threadId} was copied, but this server has no way to change metadata or ttl, so it has those of ${wanted.copyFrom}. Take away what differs: ${wrong.join(", ")}.`,
    {
      ...wanted,
      metadata: wanted.metadata && Object.fromEntries(agreeing),
      ttl: "ttl" in change ? undefined : wanted.ttl,
    },
    toState(thread, attempt),
  );
}
