/**
 * Warns of objects with the marker of a resource that it does not manage: those of interrupted runs with other inputs,
 * and those that a second run, or a request that arrived late or twice, created. They are never changed.
 */

import type { Attempt, ObjectKind, OwnedInputs, OwnedState, RemoteObject } from "./kind";
import { formatIds, formatRemedies, searchLeftovers } from "./messages";
import { deriveResourceId } from "./metadata/identity";
import { hasMarkers, hasTag, isCopy } from "./ownership";

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
        `${outcome} Other ${noun}s at ${server.url} have the same ownership marker${alarm}: ${ids}. Another run at the same time, or a request that arrived late or twice, may have created them. They were not changed.`,
    );
    warn(
      others.leftovers ?? [],
      (ids) =>
        `Earlier runs of this resource left ${noun}s at ${server.url} that no resource manages${alarm}: ${ids}. They were created with other inputs and were not changed. ${outcome}`,
    );
  });
}
