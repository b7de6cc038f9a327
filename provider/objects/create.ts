/**
 * Creates an object exactly once, or takes the one that an earlier run of the resource left. A table decides what
 * follows from what is known. Its first row reads: nothing is written before the server has shown what is there. Only
 * an object that was absent then, and that shows the request of this run, is ever deleted.
 */
import { sendWithRouteRetry } from "../api/profile/learned-profile";
import type { Observation } from "../definition/context";
import { HttpError } from "../http/errors";
import { type Action, CREATE, decide, type Situation } from "./decisions";
import type { Attempt, Found, IdBy, ObjectKind, OwnedInputs, OwnedState, RemoteObject } from "./kind";
import { takeResumed, toConflictError, warnOfOthers } from "./messages";
import { isOfRequest, isOwn } from "./ownership";
import { removeObject } from "./remove";
import { existedBefore, pollForCreated, serverTimeOfStart } from "./server/lost-response";

interface Knowledge<R> extends Pick<Situation, "isRead" | "request" | "content"> {
  idBy: IdBy;
  /** The object of this run's request. */
  created?: R | undefined;
  /** Ours, of an earlier run. */
  earlier?: R | undefined;
  /** What is in the way: of someone else, or several of ours. */
  inTheWay: readonly R[];
  isSeveral?: boolean;
  /** Others of which nothing shows whose they are. */
  unproven: readonly R[];
  /** The IDs of what was there before the request. */
  earlierIds: ReadonlySet<string>;
  /** Why the request has no usable response. */
  failure?: HttpError | undefined;
}

function situationOf<R>({ isRead, request, content, ...known }: Knowledge<R>): Situation {
  const { created, earlier, inTheWay, isSeveral } = known;
  const own = created && earlier ? "both" : created || earlier ? "own" : undefined;
  const found = isSeveral ? "several" : (own ?? (inTheWay.length > 0 ? "foreign" : "none"));
  return { isRead, request, content, found, isNew: created !== undefined };
}

/** Creates the object of a resource, or takes that of an earlier run. @throws UserError when neither is possible. */
export const createObject = <I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  attempt: Attempt<I>,
): Promise<Observation<I, S>> => new Creation(kind, attempt).perform();

const remoteOf = <R>({ created, earlier }: Knowledge<R>): R => (earlier ?? created) as R;

/** One create. The steps are named as the actions, and return what is known afterwards. */
class Creation<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>
  implements Record<Exclude<Action, "use" | "resume">, (known: Knowledge<R>) => Promise<Knowledge<R>>>
{
  constructor(
    private readonly kind: ObjectKind<I, S, R>,
    private readonly attempt: Attempt<I>,
  ) {}

  async perform(): Promise<Observation<I, S>> {
    const { kind, attempt } = this;
    const idBy = (await kind.idBy?.(attempt)) ?? (kind.idInput === undefined ? "server" : "client");
    let known: Knowledge<R> = {
      ...{ idBy, isRead: false, request: "unsent", content: "unseen" },
      ...{ inTheWay: [], unproven: [], earlierIds: new Set() },
    };
    for (;;) {
      const action = decide(CREATE, situationOf(known));
      if (action === "use" || action === "resume") return this.finish(known, action);
      known = await this[action](known);
    }
  }

  async read(known: Knowledge<R>): Promise<Knowledge<R>> {
    const { kind, attempt } = this;
    const { failure, created, request, idBy } = known;
    let found: Found<R> = { own: [], foreign: [], unproven: [] };
    const search = async () => {
      found = await kind.find(attempt, { idBy, isAfterRequest: request === "lost" });
      return [...found.own, ...found.foreign];
    };
    // The server may still process a request without a response.
    await (failure ? pollForCreated(search, failure, attempt.ctx.clock) : search());
    const { foreign, unproven } = found;
    const own = found.own.filter((remote) => created === undefined || kind.idOf(remote) !== kind.idOf(created));
    const [first] = own;
    const isNew = request === "lost" && first !== undefined && isOfRequest(kind, first, attempt, false);
    return {
      ...{ ...known, isRead: true, unproven: [...known.unproven, ...unproven] },
      ...(isNew ? { created: first } : { earlier: first }),
      ...(own.length > 1 ? { isSeveral: true, inTheWay: own } : { inTheWay: foreign }),
      ...(request === "unsent" && { earlierIds: new Set([...own, ...foreign, ...unproven].map(kind.idOf)) }),
    };
  }

  async send(known: Knowledge<R>): Promise<Knowledge<R>> {
    const { kind, attempt } = this;
    const startedAt = serverTimeOfStart(attempt.server, attempt.ctx);
    const { response, failure } = await this.request(known.idBy);
    if (failure && !this.mayHaveCreated(failure)) throw await kind.explain(failure, attempt, []);
    const lost = { ...known, request: "lost" as const, isRead: false, failure };
    if (!response) return lost;
    const answered = { ...known, request: "answered" as const };
    const hasRequestedId = kind.idOf(response).toLowerCase() === attempt.id;
    const isNew = !existedBefore(response, startedAt()) && !known.earlierIds.has(kind.idOf(response));
    if (isNew && isOfRequest(kind, response, attempt, true)) {
      // A server that assigns its own ID may have an earlier object with another one.
      const isUnexpected = known.idBy === "client" && !hasRequestedId;
      return {
        ...answered,
        created: response,
        content: "whole",
        ...(isUnexpected && { idBy: "server", isRead: false }),
      };
    }
    // A proxy may return the response of another request.
    if (!hasRequestedId) return { ...lost, unproven: [response] };
    return { ...answered, ...(isOwn(kind, response, attempt) ? { earlier: response } : { inTheWay: [response] }) };
  }

  async refuse({ inTheWay, failure }: Knowledge<R>): Promise<never> {
    const { kind, attempt } = this;
    throw kind.refusal?.(inTheWay, attempt) ?? toConflictError(kind, inTheWay[0] as R, attempt, failure);
  }

  async report({ failure, unproven, earlierIds }: Knowledge<R>): Promise<never> {
    const { kind, attempt } = this;
    const candidates = unproven.filter((remote) => !earlierIds.has(kind.idOf(remote)));
    throw await kind.explain(failure, attempt, candidates);
  }

  async discard(known: Knowledge<R>): Promise<Knowledge<R>> {
    const { kind, attempt } = this;
    const removal = await removeObject(kind, kind.idOf(known.created as R), attempt, attempt.ctx);
    // Where it cannot be deleted, it is managed, and a warning names the earlier one as a twin.
    return removal === "gone"
      ? { ...known, created: undefined, content: "unseen" }
      : { ...known, earlier: undefined, unproven: [] };
  }

  async inspect(known: Knowledge<R>): Promise<Knowledge<R>> {
    const { created, failure } = known;
    const isNew = created !== undefined;
    const content = await this.kind.inspect?.(remoteOf(known), this.attempt, isNew, isNew ? failure : undefined);
    return { ...known, content: content ?? "whole" };
  }

  async recreate(known: Knowledge<R>): Promise<Knowledge<R>> {
    const { kind, attempt } = this;
    const id = kind.idOf(remoteOf(known));
    takeResumed(kind, id, attempt);
    const removal = await removeObject(kind, id, attempt, attempt.ctx);
    // Where it cannot be deleted, another one would be a second one.
    return removal === "gone" ? { ...known, earlier: undefined, content: "unseen" } : { ...known, content: "whole" };
  }

  async giveUp(known: Knowledge<R>): Promise<Knowledge<R>> {
    const isNew = known.created !== undefined;
    await this.kind.giveUp?.(remoteOf(known), this.attempt, isNew, known.failure);
    return { ...known, content: "whole" };
  }

  private async finish(known: Knowledge<R>, action: "use" | "resume"): Promise<Observation<I, S>> {
    const { kind, attempt } = this;
    const remote = remoteOf(known);
    const id = kind.idOf(remote);
    if (action === "resume") takeResumed(kind, id, attempt, kind.resumeNote?.(known.content, attempt));
    try {
      const observed = await kind.settle(remote, attempt, { origin: action === "use" ? "new" : "earlier" });
      await kind.review?.(remote, attempt, known.unproven);
      return observed;
    } finally {
      // Also after a failure: the next run updates the object, and searches for no others.
      await warnOfOthers(kind, { id, outcome: `This resource manages ${kind.noun} ${id}.` }, attempt);
    }
  }

  private async request(idBy: IdBy): Promise<{ response?: R | undefined; failure?: HttpError }> {
    const { kind, attempt } = this;
    const send = async () => {
      try {
        return { response: await kind.send(attempt) };
      } catch (failure) {
        if (!(failure instanceof HttpError)) throw failure;
        if (!failure.isUnsupportedRoute || (await this.leftObject(failure, idBy))) return { failure };
        throw failure;
      }
    };
    return sendWithRouteRetry(send, attempt.ctx.clock).catch((failure: unknown) => {
      if (!(failure instanceof HttpError)) throw failure;
      return { failure };
    });
  }

  private mayHaveCreated(failure: HttpError): boolean {
    return this.kind.mayRemain?.(failure, this.attempt) ?? (failure.outcomeUnknown || failure.status === 409);
  }

  /** Whether a request for what the server does not find has created an object nevertheless. */
  private async leftObject(failure: HttpError, idBy: IdBy): Promise<boolean> {
    if (!this.mayHaveCreated(failure)) return false;
    const { own, foreign } = await this.kind.find(this.attempt, { idBy, isAfterRequest: true });
    return own.length + foreign.length > 0;
  }
}
