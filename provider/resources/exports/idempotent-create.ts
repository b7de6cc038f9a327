/**
 * Creates exports and destinations exactly once, although the API has neither idempotency keys nor a place for an
 * ownership marker: checks for an equivalent resource before, and resolves a lost response by what is new in the list.
 */

import type { ListOptions } from "../../api/tracing/client";
import type { Context, RunScope } from "../../definition/context";
import { OwnershipError, REPLACE_HINT } from "../../definition/ownership";
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { CreatesOfRun, NEXT_UP_HINT, pollForCreated } from "../../objects/server/lost-response";
import { sendOptional } from "../../objects/server/optional-route";

export interface IdempotentCreate<T extends { id: string }> {
  /** What errors call it, such as `destination "traces"`. The same for all equivalent resources. */
  description: string;
  /** Sends the create request; called once. */
  send: () => Promise<T>;
  /** Lists all resources of this type in the workspace; undefined if the server does not support it. */
  list: (options?: ListOptions) => Promise<readonly T[] | undefined>;
  /** Whether a resource is equivalent to the desired one. */
  isEquivalent: (other: T) => boolean;
  /** Whether an equivalent resource is still in use, such as an export that has not ended. Defaults to always. */
  isActive?: (equivalent: T) => boolean;
  /** Whether to create it even if an equivalent one exists. */
  allowDuplicate: boolean | undefined;
  /** Called with what the request created, before anything else is requested, so that its ID is not lost. */
  onCreated: (created: T) => void;
  /** Adopts an equivalent resource; without it, one is an error. */
  adopt?: ((equivalent: readonly T[]) => Promise<T>) | undefined;
  /** Further lines of the error about an equivalent resource, each with a line break. */
  remedies?: string;
  /**
   * Called with the resources that this run did not create: after the create, when the engine has asked about most of
   * the stack's other resources. Unless duplicates are allowed, it includes those that others created at the same time.
   * @param created What this create made, as far as the server has shown it.
   */
  onExisting?: (others: readonly T[], created: T) => Promise<void>;
  clock: Clock;
  scope: RunScope;
}

/**
 * @throws OwnershipError when an equivalent resource exists, with its ID and what to do.
 * @throws HttpError when the server rejects the request, or when its outcome is unknown.
 */
export function createIdempotent<T extends { id: string }>(options: IdempotentCreate<T>): Promise<T> {
  const creates = options.scope.get(CreatesOfRun);
  return creates.serialize(options.description, () => createUnlessEquivalent(options, creates.createdIds));
}

async function createUnlessEquivalent<T extends { id: string }>(
  options: IdempotentCreate<T>,
  createdIds: Set<string>,
): Promise<T> {
  const { description, send, list, isEquivalent, isActive = () => true, allowDuplicate, adopt } = options;
  const existing = await list();
  const allEquivalent = existing?.filter((other) => isEquivalent(other) && isActive(other)) ?? [];
  const [equivalent] = allEquivalent;
  if (equivalent && adopt) return adopt(allEquivalent);
  if (equivalent && !allowDuplicate) throw toEquivalentError(equivalent.id, options);
  const existingIds = new Set(existing?.map(({ id }) => id));
  const created = await send().catch(async (error: unknown) => {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    if (!existing) throw error.withHint(formatUndetermined(description));
    const isNew = (other: T) => !existingIds.has(other.id) && !createdIds.has(other.id) && isEquivalent(other);
    const listCreated = async () => (await list())?.filter(isNew) ?? [];
    return resolveAmbiguous(error, description, await pollForCreated(listCreated, error, options.clock));
  });
  // A gateway may repeat the response of another request: what existed before, or belongs to another resource, is not
  // ours.
  if (existingIds.has(created.id) || createdIds.has(created.id)) throw toForeignError(created.id, description);
  createdIds.add(created.id);
  options.onCreated(created);
  // The first list and the create are two requests. If two runs send them at the same time, at least one sees both
  // results. Only a warning depends on it, so the result of the create does not wait for retries.
  const listOnce = () => list({ maxAttempts: 1 }).catch(() => undefined);
  const current = allowDuplicate || !existing ? existing : ((await listOnce()) ?? existing);
  const shown = current?.find(({ id }) => id === created.id) ?? created;
  await options.onExisting?.(current?.filter(({ id }) => !createdIds.has(id)) ?? [], shown);
  return created;
}

const toForeignError = (id: string, description: string) =>
  new OwnershipError(
    `${description}: the server returned ID ${id}, which another resource has, so this create changed nothing that is known. Run \`pulumi up\` again. If it returns this ID again, ask the operators of the server: a proxy may repeat responses.`,
  );

function toEquivalentError<T extends { id: string }>(
  id: string,
  { description, remedies = "" }: Pick<IdempotentCreate<T>, "description" | "remedies">,
): OwnershipError {
  return new OwnershipError(
    `${description} already exists (ID ${id}). An interrupted run or an earlier \`pulumi destroy\` may have left it behind. Nothing was created.\n` +
      `To adopt it, add to the resource options:  import: "${id}"\n${remedies}To create another one anyway, set  allowDuplicate: true\n${REPLACE_HINT}`,
  );
}

/**
 * Verifies before a replacement that the create will find nothing equivalent but the replaced object.
 * @throws OwnershipError when it will.
 */
export async function assertNoEquivalent<T extends { id: string }>(
  replacedId: string,
  options: Pick<IdempotentCreate<T>, "description" | "remedies" | "list" | "isEquivalent" | "isActive">,
): Promise<void> {
  const { list, isEquivalent, isActive = () => true } = options;
  const equivalent = (await list())?.find((other) => other.id !== replacedId && isEquivalent(other) && isActive(other));
  if (equivalent) throw toEquivalentError(equivalent.id, options);
}

/** Returns the single new equivalent resource after a lost response. */
function resolveAmbiguous<T extends { id: string }>(
  lostResponse: HttpError,
  description: string,
  [created, second]: T[],
): T {
  if (created && !second) return created;
  throw created
    ? lostResponse.withHint(
        `Several resources matching ${description} were created at the same time (${created.id}, …); cannot tell which one belongs to this stack.`,
      )
    : lostResponse.withHint(`No new ${description} was found, so it was probably not created. ${NEXT_UP_HINT}`);
}

const formatUndetermined = (description: string) =>
  `Could not determine whether ${description} was created, because this server cannot list resources of this type. Check manually before the next \`pulumi up\`, or a duplicate may be created.`;

/** Returns the items of an optional list of the tracing API, or undefined if the server does not support the route. */
export async function listIfSupported<T>(
  send: () => Promise<T[]>,
  route: string,
  { clock, clients }: Pick<Context, "clock" | "clients">,
): Promise<T[] | undefined> {
  const support = clients.tracing.routes;
  const result = await sendOptional({ send, exists: async () => true, clock, route, support });
  return "response" in result ? result.response : undefined;
}

/** Verifies that a 404 means a deleted object. @throws HttpError when its workspace does not respond. */
export async function assertWorkspaceResponds({ clients: { tracing }, settings }: Context): Promise<void> {
  await tracing.getWorkspace(settings.tenantId ?? "").catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    throw error.withHint(
      "Could not determine whether the resource still exists: its workspace is not responding. State is unchanged.",
    );
  });
}

/**
 * Verifies that a response is about the requested object: a proxy may repeat that of another request.
 * @throws OwnershipError
 */
export function assertSameId<T extends { id: string }>(found: T, id: string): T {
  if (found.id.toLowerCase() === id.toLowerCase()) return found;
  throw new OwnershipError(
    `The server returned ${found.id} for a request of ${id}. Nothing was changed. Run the command again. If it fails again, ask the operators of the server: a proxy may repeat responses.`,
  );
}
