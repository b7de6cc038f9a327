/** Copying a thread: the server chooses the id, and what it answers is all that tells which one it made. */
import type { Thread } from "../../api/agent-server";
import { type Context, HeldError, type Made } from "../../definition";
import { PlainError, RequestError } from "../../http/errors";
import { inTurn, patiently } from "../../once";
import { withoutRoute } from "./create";
import type { Inputs, State } from "./fields";
import { canonical } from "./identity";
import type { Place } from "./place";
import { type Attempt, attemptOf, marked, startOf, wasThereBefore } from "./recognise";
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
  return { id: thread.threadId, state: toState(thread, place), ready: () => dressed(thread, attempt) };
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

/** The threads that began since then with the metadata of the source, as its copies do. */
async function copiesOf(source: string, since: number, server: Attempt["server"]): Promise<Thread[]> {
  const { metadata } = await server.getThread(source);
  const alike = await server.searchThreads(metadata ?? {}, 100);
  return alike.filter(
    (thread) =>
      thread.threadId !== source &&
      !made.has(thread.threadId) &&
      !wasThereBefore(thread, since) &&
      canonical(thread.metadata ?? {}) === canonical(metadata ?? {}),
  );
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
