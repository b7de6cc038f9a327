/** The definition of a kind of object on an agent server, and its verbs. Each reads before its first write. */
import type { Context, RetainedResource } from "../definition/context";
import { type Definition, defineResource } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import { fieldsOf, pathsOf } from "../schema/fields";
import type { PropertyMap } from "../schema/schema";
import { createObject } from "./create";
import { endpointRules } from "./fields";
import type { ObjectKind, OwnedInputs, OwnedState, RemoteObject } from "./kind";
import { adoptFacts } from "./listing";
import { throwDeleted, toConflictError } from "./messages";
import { markerPlace } from "./metadata/metadata";
import { createAttempt, foreignOwner, hasMarkers, importFacts, isOwn, otherObject } from "./ownership";
import { deleteObject } from "./remove";
import { endpointOfNew, isSamePlace } from "./server/before-replace";
import { resolveEndpoint, waitForEndpoint } from "./server/endpoint";

type Verbs<I extends OwnedInputs, S extends OwnedState> = Required<
  Pick<Definition<I, S>, "create" | "read" | "update" | "beforeReplace" | "delete" | "markerPlace">
>;

export function verbsOf<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
): Verbs<I, S> {
  const nouns = `${kind.noun}s`;
  const local = pathsOf({ fields: fieldsOf(kind.inputs) }, ({ effect }) => effect === "none");
  return {
    markerPlace: markerPlace(kind.keys),

    async create(desired, ctx) {
      const attempt = createAttempt(kind, desired, await waitForEndpoint(desired, ctx), ctx);
      return { ...(await createObject(kind, attempt)), ...(hasMarkers(attempt) && { marker: ctx.marker }) };
    },

    async read(id, declared, previous, ctx) {
      const known = { ...previous, ...declared } as I & Partial<S>;
      const endpoint = await resolveEndpoint(nouns, known, ctx);
      const remote = endpoint && (await kind.read(id, endpoint, ctx));
      if (!endpoint || !remote) return undefined;
      // A program that only reads an object reads whichever has its ID.
      const other = declared && otherObject(kind, remote, known, ctx);
      if (other !== undefined) {
        ctx.log.warn(
          `${kind.kind} ${id} at ${endpoint.server.url} leaves the state, because ${other}. It was not changed.`,
        );
        return undefined;
      }
      const isImported = previous.url === undefined;
      const seen = { endpoint, ctx, previous: known as Partial<I & S>, isImported };
      const observed = await kind.observe?.(remote, declared, seen);
      return {
        id,
        inputs: declared ? kind.toInputs(remote, declared) : kind.toAllInputs(remote),
        ...{ unmanageable: kind.forbidden?.(remote), state: kind.toState(remote, endpoint, previous) },
        ...(isImported && importFacts(kind, remote, ctx)),
        ...observed,
      };
    },

    async update(id, { inputs: desired, previous, state, paths, isUnfinished }, ctx) {
      const isLocal = paths.length > 0 && paths.every((path) => local.includes(path));
      const { marker: found, earlierMarker } = ctx.recorded;
      // What is not read keeps its marker, also if the stack was renamed.
      const kept = { marker: found ?? (ctx.settings.ownerMarker ? earlierMarker : undefined) };
      if (isLocal && !isUnfinished) return { id, inputs: desired, state: kind.toState({}, undefined, state), ...kept };
      // What moved with its deployment was created again there.
      const isMoved = ctx.moves.from(previous.deploymentId) !== undefined;
      const known = { ...previous, ...state, ...(isMoved && { createdAt: undefined }) };
      const endpoint = await resolveEndpoint(nouns, { ...known, ...desired }, ctx);
      const remote = endpoint && (await kind.read(id, endpoint, ctx));
      if (!endpoint || !remote) return throwDeleted(kind.kind, id);
      const owner = foreignOwner(kind, remote, known, ctx);
      if (owner !== undefined)
        throw new OwnershipError(
          `${kind.kind} ${id} at ${endpoint.server.url} was not changed, because ${owner}. To manage it, ` +
            "remove this resource from state with `pulumi state delete`, and adopt it with the resource " +
            "option import.",
        );
      const attempt = createAttempt(kind, desired, endpoint, ctx);
      // It may lack what no backup contains, such as a TTL.
      const isUncertain = isUnfinished || isMoved;
      const settlement = { origin: "state", previous, state, paths, isUnfinished: isUncertain } as const;
      const observed = await kind.settle(remote, attempt, settlement);
      if (importFacts(kind, remote, ctx).marker === undefined) return observed;
      // After a rename of the stack: not every change writes the new marker.
      const changed = (await kind.read(id, endpoint, ctx)) ?? remote;
      return { ...observed, marker: importFacts(kind, changed, ctx).marker ?? ctx.marker };
    },

    async beforeReplace(id, { desired, previous }, ctx) {
      const endpoint = await endpointOfNew(desired, ctx);
      if (!endpoint) return;
      const old = { id, url: previous.url };
      await kind.verifyNew?.(desired, endpoint, ctx, old);
      const requestedId = kind.idInput === undefined ? undefined : desired[kind.idInput];
      if (typeof requestedId !== "string" || isSamePlace(requestedId, endpoint, old)) return;
      const attempt = createAttempt(kind, desired as I, endpoint, ctx);
      const existing = await kind.find(attempt, { idBy: "client", isAfterRequest: false });
      const [first] = [...existing.own, ...existing.foreign];
      if (first !== undefined && !isOwn(kind, first, attempt)) throw toConflictError(kind, first, attempt);
    },

    async delete(id, previous, ctx) {
      const { to: deploymentId } = ctx.moves.from(previous.deploymentId) ?? {};
      // Without a comparison in this run, no resource has it any more: the copy that moved is deleted as well.
      if (deploymentId !== undefined && kind.idInput !== undefined && !ctx.isManaged(id))
        await remove(id, { ...previous, deploymentId, url: undefined, createdAt: undefined }, ctx);
      return remove(id, previous, ctx);
    },
  };

  async function remove(id: string, previous: I & Partial<S>, ctx: Context): Promise<RetainedResource | undefined> {
    const endpoint = await resolveEndpoint(nouns, previous, ctx);
    if (!endpoint) return undefined;
    const result = await deleteObject(kind, { id, previous }, endpoint, ctx);
    if (result !== "gone") return result;
    await kind.afterDelete?.(id, createAttempt(kind, previous, endpoint, ctx));
    return kind.deletion.note === undefined ? undefined : { info: kind.deletion.note };
  }
}

type ObjectFacts<I extends PropertyMap, S extends PropertyMap> = Pick<
  Definition<I, S>,
  "description" | "rules" | "impact" | "listing"
> &
  Partial<Pick<Definition<I, S>, "adopt" | "timeouts" | "create" | "succession">>;

/** @param facts The rules follow those of the inputs that name the server. */
export function defineObject<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  { rules, ...facts }: ObjectFacts<I, S>,
): Definition<I, S> {
  const { idInput, inputs, outputs, noun } = kind;
  return defineResource<I, S>(kind.kind, {
    server: "controlPlane",
    schema: { inputs, outputs },
    rules: [...endpointRules, ...rules],
    unique: (declared) =>
      idInput === undefined || declared[idInput] === undefined ? undefined : [idInput, "deploymentId", "deploymentUrl"],
    timeouts: { create: "30m", update: "30m", delete: "10m" },
    updatedBy: `${noun}s-patch`,
    adopt: adoptFacts(kind),
    ...verbsOf(kind),
    ...facts,
  });
}
