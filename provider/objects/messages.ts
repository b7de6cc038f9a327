/** What users read about the objects of an agent server, whatever their kind. */
import type { AgentServerClient } from "../api/agent-server/client";
import type { Context } from "../definition/context";
import { describeSibling, OwnershipError } from "../definition/ownership";
import { type HttpError, ignoreHttpError, recover } from "../http/errors";
import type { Attempt, ObjectIdentity, ObjectKind, ObjectNames, OwnedInputs, OwnedState, RemoteObject } from "./kind";
import { deriveResourceId, isOfSibling, markerPlace } from "./metadata/metadata";
import { hasMarkers, hasTag, isCopy } from "./ownership";
import { type EndpointInputs, importIdOf } from "./server/endpoint";

interface Subject {
  server: AgentServerClient;
  desired: EndpointInputs;
  ctx: Context;
}

const MAX_LISTED_IDS = 5;

export function formatIds(ids: readonly string[]): string {
  const listed = ids.slice(0, MAX_LISTED_IDS);
  const more = ids.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Formats what to do about objects of an unknown owner, as aligned lines that name the first one. */
export function formatRemedies({ kind, path }: ObjectNames, [id]: readonly string[], subject: Subject): string {
  const { server, desired, ctx } = subject;
  if (id === undefined) return "";
  // A server deletes the crons of an assistant, and those on a thread, with it.
  const also = kind === "Cron" ? "" : "  (deletes its crons as well)";
  return (
    `To adopt one:   import: "${importIdOf(kind, id, desired, ctx)}"\nTo delete one:  DELETE ` +
    `${server.url}/${path}/${id}${also}`
  );
}

/** Takes an object that an interrupted run of this resource left, and warns of it. @param note What to add. */
export function takeResumed({ noun }: ObjectNames, id: string, { server, ctx }: Omit<Subject, "desired">, note = "") {
  ctx.noteExisting(id, "resumed");
  ctx.log.warn(
    `Resuming ${noun} ${id} at ${server.url}: an earlier run of this resource created it.${note}${ctx.ownerHint}`,
  );
}

/** @throws OwnershipError, because an update found that the object is gone. */
export function throwDeleted(kind: string, id: string): never {
  throw new OwnershipError(
    `${kind} ${id} no longer exists on its server, so it cannot be changed. Run \`pulumi up --refresh\` to ` +
      "create it again.",
  );
}

/** Searches for what earlier runs left. A search that fails, or is not supported, is left out. */
export async function searchLeftovers(
  { noun }: ObjectNames,
  { server, ctx }: Omit<Subject, "desired">,
  search: () => Promise<void>,
): Promise<void> {
  const warn = ({ summary }: HttpError) =>
    ctx.log.warn(
      `Could not check whether interrupted runs of this resource left ${noun}s at ${server.url} (${summary}). If a ` +
        "run was interrupted, `agentgraph adopt --json` lists them.",
    );
  await search()
    .catch(recover(({ isRetryable }) => isRetryable, warn))
    .catch(ignoreHttpError);
}

/** Returns the error about an object that another created in place of ours. @param failure Of the request. */
export function toConflictError<R extends RemoteObject>(
  kind: ObjectIdentity<R>,
  remote: R,
  attempt: Attempt,
  failure?: HttpError,
): Error {
  const { noun, idInput, keys } = kind;
  const { server, desired, ctx } = attempt;
  const id = kind.idOf(remote);
  const what = `${idInput}: ${noun} ${id}`;
  if (failure && failure.status !== 409)
    return failure.withHint(
      `${kind.kind} ${id} exists at ${server.url} since then, but nothing shows that this request created it, ` +
        `so it was not changed.\n${formatRemedies(kind, [id], attempt)}`,
    );
  const forbidden = kind.forbidden?.(remote);
  if (forbidden !== undefined)
    return new OwnershipError(`${what} at ${server.url} ${forbidden}. No changes were made.`);
  if (!isCopy(kind, remote) && isOfSibling(keys, remote.metadata, ctx))
    return new OwnershipError(`${what} at ${server.url} ${describeSibling(undefined, ctx.marker, markerPlace(keys))}`);
  return new OwnershipError(
    `${what} already exists at ${server.url}, and this resource did not create it with its current inputs. No ` +
      "changes were made.\n" +
      `To adopt it, add to the resource options:  import: "${importIdOf(kind.kind, id, desired, ctx)}"\nTo ` +
      `create a new one, choose another ${idInput} or omit it.`,
  );
}

/**
 * @param outcome What became of the object of this resource, as a sentence.
 * @param search Returns objects with the marker. Default: by a request of its own.
 */
export async function warnOfOthers<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  { id, outcome, search }: { id: string; outcome: string; search?: () => Promise<readonly R[]> },
  attempt: Attempt<I>,
): Promise<void> {
  const { keys, noun, idOf, alarm = "" } = kind;
  const { ctx, server } = attempt;
  if (!hasMarkers(attempt)) return;
  const resourceId = deriveResourceId(ctx);
  const isOther = (remote: R) =>
    // A server may ignore the filter.
    remote.metadata?.[keys.resource] === resourceId &&
    !isCopy(kind, remote) &&
    idOf(remote) !== id &&
    !ctx.isManaged(idOf(remote));
  const warn = (remotes: readonly R[], describe: (ids: string) => string) => {
    if (remotes.length === 0) return;
    const ids = formatIds(remotes.map((remote) => kind.label?.(remote) ?? idOf(remote)));
    const remedies = formatRemedies(kind, remotes.map(idOf), attempt);
    ctx.log.warn(`${describe(ids)}\n${remedies}${ctx.ownerHint}`);
  };
  await searchLeftovers(kind, attempt, async () => {
    const all = search ? await search() : await kind.search({ [keys.resource]: resourceId }, attempt);
    const others = Object.groupBy(all.filter(isOther), (one) => (hasTag(kind, one, attempt) ? "twins" : "leftovers"));
    warn(
      others.twins ?? [],
      (ids) =>
        `${outcome} Other ${noun}s at ${server.url} have the same ownership marker${alarm}: ${ids}. Another ` +
        "run at the same time, or a request that arrived late or twice, may have created them. They were not " +
        "changed.",
    );
    warn(
      others.leftovers ?? [],
      (ids) =>
        `Earlier runs of this resource left ${noun}s at ${server.url} that no resource manages${alarm}: ` +
        `${ids}. They were created with other inputs and were not changed. ${outcome}`,
    );
  });
}
