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

export interface IdempotentCreate<T extends { id: string }> {
  /** What is made, as errors call it: `destination "traces"`. Equal things are called the same. */
  description: string;
  /** The one request. */
  send: () => Promise<T>;
  /** Everything of this sort in the workspace; undefined where the service has no such list. */
  list: () => Promise<readonly T[] | undefined>;
  /** Whether something equals what is wanted. */
  isEquivalent: (other: T) => boolean;
  /** Whether a twin that was there before would do its work; each would when absent. */
  isActive?: (equivalent: T) => boolean;
  /** Whether one that equals it may be there already. */
  allowDuplicate: boolean | undefined;
  /** Called before the request with what exists and other runs created. */
  onExisting?: (others: readonly T[]) => void;
  clock: Clock;
}

/** Milliseconds between looks for what a request may still be making, when nobody said that it failed. */
const POLL_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000];
/** Answers of a proxy that gave up on the service. */
const GATEWAY_TIMEOUT_STATUSES: ReadonlySet<number | undefined> = new Set([408, 502, 504, undefined]);

/** What this process made: none of it settles another one's lost answer. */
const createdIds = new Set<string>();
/** Creates of one sort go one after the other, so that each sees what the one before made. */
const queues = new Map<string, Promise<unknown>>();

/**
 * @throws OwnershipError when an equal one is there already, with its id and what to write.
 * @throws HttpError when the service refuses, or when nobody can tell what became of the request.
 */
export function createIdempotent<T extends { id: string }>(options: IdempotentCreate<T>): Promise<T> {
  return serialize(options.description, () => createUnlessEquivalent(options));
}

/** Does this after all that is done already under the same name. */
export function serialize<T>(name: string, task: () => Promise<T>): Promise<T> {
  const before = queues.get(name) ?? Promise.resolve();
  const current = before.then(task);
  queues.set(
    name,
    current.catch(() => undefined),
  );
  return current;
}

async function createUnlessEquivalent<T extends { id: string }>(options: IdempotentCreate<T>): Promise<T> {
  const { description, send, list, isEquivalent, isActive = () => true, allowDuplicate } = options;
  const existing = await list();
  const equivalent = existing?.find((other) => isEquivalent(other) && isActive(other));
  if (equivalent && !allowDuplicate) {
    throw new OwnershipError(
      `${description} already exists (ID ${equivalent.id}). An interrupted run may have left it, or an earlier \`pulumi destroy\` kept it. Nothing was created.\n` +
        `To adopt it, add to the resource options:  import: "${equivalent.id}"\nTo create another one anyway, set  allowDuplicate: true`,
    );
  }
  options.onExisting?.(existing?.filter(({ id }) => !createdIds.has(id)) ?? []);
  const existingIds = new Set(existing?.map(({ id }) => id));
  const created = await send().catch(async (error: unknown) => {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    if (!existing) throw error.withHint(formatUndetermined(description));
    const isNew = (other: T) => !existingIds.has(other.id) && !createdIds.has(other.id) && isEquivalent(other);
    const listCreated = async () => (await list())?.filter(isNew) ?? [];
    return resolveAmbiguous(error, description, await pollForCreated(listCreated, error, options.clock));
  });
  createdIds.add(created.id);
  return created;
}

/**
 * What is new in the list, once something is: a request that got no answer may still be at work.
 * @throws HttpError the lost one, which says so when the last look was not answered either.
 */
export async function pollForCreated<T>(
  listCreated: () => Promise<T[]>,
  lostResponse: HttpError,
  clock: Clock,
  hint: string = NEXT_UP_HINT,
): Promise<T[]> {
  const delays = GATEWAY_TIMEOUT_STATUSES.has(lostResponse.status) ? POLL_DELAYS_MS : [];
  for (let attempt = 0; ; attempt++) {
    const delay = delays[attempt];
    const found = await listCreated().catch((error: unknown): T[] => {
      if (delay !== undefined && error instanceof HttpError && error.isRetryable) return [];
      throw toUndeterminedError(lostResponse, error, hint);
    });
    if (found.length > 0 || delay === undefined) return found;
    await clock.sleep(delay);
  }
}

/** What a lost create fails with when the look that should settle it failed as well. */
export function toUndeterminedError(lostResponse: HttpError, failure: unknown, hint = NEXT_UP_HINT): unknown {
  if (!(failure instanceof UserError)) return failure;
  const [why] = failure.message.split("\n");
  return lostResponse.withHint(`Could not determine whether it was created (${why}). ${hint}`);
}

/** A create that failed leaves nothing in state, so only another create looks for what it made after all. */
export const NEXT_UP_HINT =
  "Run `pulumi up` again, which finds it if it was created. `pulumi destroy` would not: it is not in state.";

/** The answer was lost: the one new twin is what was made. */
function resolveAmbiguous<T extends { id: string }>(
  lostResponse: HttpError,
  description: string,
  [found, another]: T[],
): T {
  if (found && !another) return found;
  throw found
    ? lostResponse.withHint(
        `Several that equal ${description} appeared at the same time (${found.id}, …), so it is not known which is ours.`,
      )
    : lostResponse.withHint(`The server lists no new ${description}, so it was probably not created. ${NEXT_UP_HINT}`);
}

const formatUndetermined = (description: string) =>
  `Whether ${description} was created is not known, since this service has no list to look in. Look there by other means before the next \`pulumi up\`, which creates it (again).`;

/** The items of a list, or undefined where the service has no such route. */
export async function listIfSupported<T>(
  send: () => Promise<T[]>,
  { clock }: Pick<Context, "clock">,
): Promise<T[] | undefined> {
  const result = await sendOptional({ send, exists: async () => true, clock });
  return "response" in result ? result.response : undefined;
}

/** Gone means: the workspace answered, and the object was not in it. @throws HttpError when it did not answer. */
export async function assertWorkspaceResponds({ clients: { tracing }, settings }: Context): Promise<void> {
  await tracing.getWorkspace(settings.tenantId ?? "").catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    throw error.withHint(
      "Whether the object is gone is not known, since its workspace does not answer. State was left as it is.",
    );
  });
}
