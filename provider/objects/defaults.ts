/** What is true for a kind of objects that has an `ObjectClient`, unless the kind says otherwise. */
import type { AgentServerClient } from "../api/agent-server/client";
import type { ObjectClient } from "../api/agent-server/object-client";
import { collectAll } from "../api/pagination";
import type { Context } from "../definition/context";
import { type HttpError, inPlaceOf } from "../http/errors";
import { mergeRemote } from "../schema/mapping";
import { type PropertyMap, shapeOf } from "../schema/schema";
import { UserError } from "../text/user-error";
import { stateOf } from "./fields";
import type { Attempt, ObjectKind, OwnedInputs, OwnedState, RemoteObject } from "./kind";
import { buildMetadata, idDerivation, omitMarker } from "./metadata/metadata";
import { foundById, isUnprovable } from "./ownership";
import { type AgentEndpoint, findOnServer, importIdOf } from "./server/endpoint";
import { NEXT_UP_HINT } from "./server/lost-response";
import { settleObject } from "./settle";

type ClientOf<R extends RemoteObject> = (server: AgentServerClient) => ObjectClient<R, PropertyMap>;

export const requestsOf = <R extends RemoteObject>(noun: string, client: ClientOf<R>) => ({
  idOf: (remote: R) => String((remote as PropertyMap)[`${noun}Id`]),
  read: (id: string, endpoint: AgentEndpoint, ctx: Pick<Context, "clients">) =>
    findOnServer(() => client(endpoint.server).find(id), endpoint, ctx),
  list: (server: AgentServerClient, metadata?: PropertyMap) => client(server).list({ metadata }),
  search: (metadata: PropertyMap, { server }: AgentEndpoint) =>
    collectAll(client(server).list({ metadata }), () => true),
  remove: (id: string, { server }: AgentEndpoint) => client(server).delete(id),
  update: (id: string, change: PropertyMap, { server }: AgentEndpoint) => client(server).update(id, change),
});

type Stated = "kind" | "noun" | "path" | "keys" | "inputs" | "outputs" | "deletion";

/** @param facts Its fields, its client, and what is special about it. */
export function objectKind<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  facts: Pick<ObjectKind<I, S, R>, Stated> & Partial<ObjectKind<I, S, R>> & { client: ClientOf<R> },
): ObjectKind<I, S, R> {
  const { noun, keys, inputs, outputs, client } = facts;
  const kind: ObjectKind<I, S, R> = {
    ...requestsOf(noun, client),
    deriveId: idDerivation<I>(inputs),
    async find(attempt) {
      const { server, id } = attempt;
      const found = await client(server)
        .peek(id)
        .catch(inPlaceOf(({ isRejection }) => isRejection, undefined));
      return foundById(kind, found, attempt);
    },
    send: (attempt) => client(attempt.server).create(toCreateRequest(kind, attempt)),
    explain: (failure, attempt) => explainFailure(kind, failure, attempt),
    settle: async (remote, attempt, settlement) => (await settleObject(kind, remote, attempt, settlement)).observed,
    toState: stateOf<S>(outputs),
    toInputs: (remote, declared) => mergeRemote(inputs, declared, remote),
    toAllInputs: (remote) =>
      Object.fromEntries(
        Object.entries({ ...remote, metadata: omitMarker(keys, remote.metadata) }).filter(
          ([key, value]) => Object.hasOwn(shapeOf(inputs), key) && value != null,
        ),
      ) as I,
    ...facts,
  };
  return kind;
}

export const toCreateRequest = <I extends OwnedInputs>(
  { noun }: Pick<ObjectKind, "noun">,
  { desired, id, tags }: Attempt<I>,
): PropertyMap => ({ ...desired, [`${noun}Id`]: id, metadata: buildMetadata(desired.metadata, tags) });

/** Returns the error of a create that left no object to be seen. */
async function explainFailure<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  { kind, noun, idInput }: ObjectKind<I, S, R>,
  failure: HttpError | undefined,
  attempt: Attempt<I>,
): Promise<Error> {
  const { server, desired, ctx, id } = attempt;
  if (!failure)
    return new UserError(
      `The server accepted ${noun} ${id}, but its response contains another one, and it has none with this ` +
        `ID: some servers allow only one with the same content. ${NEXT_UP_HINT}`,
    );
  if (failure.isUnsupportedRoute)
    return new UserError(
      `The agent server at ${server.url} does not support ${noun}s (${failure.summary}). Nothing was ` +
        "created. Check that the URL is that of an agent server, and that a proxy passes this route.",
    );
  if (failure.status === 409)
    return failure.withHint(
      `The ID ${id} probably belongs to ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun} of another user of the ` +
        `agent server. Nothing was created. Choose another ${idInput}.`,
    );
  if (!failure.outcomeUnknown) return failure;
  if (!isUnprovable(attempt)) return failure.withHint(NEXT_UP_HINT);
  return failure.withHint(
    `Without an ownership marker (ownerMarker: false), nothing shows whether this request created ${noun} ` +
      `${id}. If it exists now, adopt it with the resource option:  import: ` +
      `"${importIdOf(kind, id, desired, ctx)}"`,
  );
}
