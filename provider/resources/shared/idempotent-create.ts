/**
 * Creates where the server takes no mark and no idempotency key (exports and destinations): nothing is made twice.
 * What equals the wanted thing is looked for before, and a lost answer is settled by what is new in the list.
 */
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { sendOptional } from "./optional-route";

export interface Creation<T extends { id: string }> {
  /** What is made, as errors call it: `destination "traces"`. Equal things are called the same. */
  what: string;
  /** The one request. */
  send: () => Promise<T>;
  /** Everything of this sort in the workspace; undefined where the service has no such list. */
  list: () => Promise<readonly T[] | undefined>;
  /** Whether something equals what is wanted. */
  isTwin: (other: T) => boolean;
  /** Whether a twin that was there before would do its work; each would when absent. */
  isAtWork?: (twin: T) => boolean;
  /** Whether one that equals it may be there already. */
  allowDuplicate: boolean | undefined;
  /** Called before the request with what exists and other runs created. */
  onExisting?: (others: readonly T[]) => void;
  clock: Clock;
}

/** Milliseconds between looks for what a request may still be making, when nobody said that it failed. */
const LOOK_AGAIN = [1000, 2000, 4000, 8000, 15_000];
/** Answers of a proxy that gave up on the service. */
const GIVEN_UP: ReadonlySet<number | undefined> = new Set([408, 502, 504, undefined]);

/** What this process made: none of it settles another one's lost answer. */
const made = new Set<string>();
/** Creates of one sort go one after the other, so that each sees what the one before made. */
const queues = new Map<string, Promise<unknown>>();

/**
 * @throws OwnershipError when an equal one is there already, with its id and what to write.
 * @throws HttpError when the service refuses, or when nobody can tell what became of the request.
 */
export function createOnce<T extends { id: string }>(creation: Creation<T>): Promise<T> {
  return inTurn(creation.what, () => create(creation));
}

/** Does this after all that is done already under the same name. */
export function inTurn<T>(name: string, act: () => Promise<T>): Promise<T> {
  const before = queues.get(name) ?? Promise.resolve();
  const mine = before.then(act);
  queues.set(
    name,
    mine.catch(() => undefined),
  );
  return mine;
}

async function create<T extends { id: string }>(creation: Creation<T>): Promise<T> {
  const { what, send, list, isTwin, isAtWork = () => true, allowDuplicate } = creation;
  const held = await list();
  const twin = held?.find((other) => isTwin(other) && isAtWork(other));
  if (twin && !allowDuplicate) {
    throw new OwnershipError(
      `${what} already exists (ID ${twin.id}). An interrupted run may have left it, or an earlier \`pulumi destroy\` kept it. Nothing was created.\n` +
        `To adopt it, add to the resource options:  import: "${twin.id}"\nTo create another one anyway, set  allowDuplicate: true`,
    );
  }
  creation.onExisting?.(held?.filter(({ id }) => !made.has(id)) ?? []);
  const known = new Set(held?.map(({ id }) => id));
  const answer = await send().catch(async (error: unknown) => {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    if (!held) throw error.withHint(unknown(what));
    const isNew = (other: T) => !known.has(other.id) && !made.has(other.id) && isTwin(other);
    const look = async () => (await list())?.filter(isNew) ?? [];
    return settle(error, what, await patiently(look, error, creation.clock));
  });
  made.add(answer.id);
  return answer;
}

/**
 * What is new in the list, once something is: a request that got no answer may still be at work.
 * @throws HttpError the lost one, which says so when the last look was not answered either.
 */
export async function patiently<T>(
  look: () => Promise<T[]>,
  lost: HttpError,
  clock: Clock,
  nextUp: string = NEXT_UP,
): Promise<T[]> {
  const delays = GIVEN_UP.has(lost.status) ? LOOK_AGAIN : [];
  for (let attempt = 0; ; attempt++) {
    const delay = delays[attempt];
    const found = await look().catch((error: unknown): T[] => {
      if (delay !== undefined && error instanceof HttpError && error.isRetryable) return [];
      throw undetermined(lost, error, nextUp);
    });
    if (found.length > 0 || delay === undefined) return found;
    await clock.sleep(delay);
  }
}

/** What a lost create fails with when the look that should settle it failed as well. */
export function undetermined(lost: HttpError, failure: unknown, nextUp = NEXT_UP): unknown {
  if (!(failure instanceof UserError)) return failure;
  const [why] = failure.message.split("\n");
  return lost.withHint(`Could not determine whether it was created (${why}). ${nextUp}`);
}

/** A create that failed leaves nothing in state, so only another create looks for what it made after all. */
export const NEXT_UP =
  "Run `pulumi up` again, which finds it if it was created. `pulumi destroy` would not: it is not in state.";

/** The answer was lost: the one new twin is what was made. */
function settle<T extends { id: string }>(lost: HttpError, what: string, [found, another]: T[]): T {
  if (found && !another) return found;
  throw found
    ? lost.withHint(
        `Several that equal ${what} appeared at the same time (${found.id}, …), so it is not known which is ours.`,
      )
    : lost.withHint(`The server lists no new ${what}, so it was probably not created. ${NEXT_UP}`);
}

const unknown = (what: string) =>
  `Whether ${what} was created is not known, since this service has no list to look in. Look there by other means before the next \`pulumi up\`, which creates it (again).`;

/** The items of a list, or undefined where the service has no such route. */
export async function listed<T>(send: () => Promise<T[]>, { clock }: Pick<Context, "clock">): Promise<T[] | undefined> {
  const result = await sendOptional({ send, exists: async () => true, clock });
  return "response" in result ? result.response : undefined;
}

/** Gone means: the workspace answered, and the object was not in it. @throws HttpError when it did not answer. */
export async function assertWorkspaceAnswers({ clients: { tracing }, settings }: Context): Promise<void> {
  await tracing.getWorkspace(settings.tenantId ?? "").catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    throw error.withHint(
      "Whether the object is gone is not known, since its workspace does not answer. State was left as it is.",
    );
  });
}
