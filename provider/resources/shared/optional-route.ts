/**
 * Requests to routes that a server may lack (interface-notes section 5). A single 404, 405 or 501 proves nothing: a proxy
 * gives the same response while a backend restarts. So a route counts as missing only when the request is refused again
 * and again while another route still shows the object.
 */
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";

export interface OptionalRequest<T> {
  /** The request. It may be sent several times, so it must not do more than once what it does. */
  send: () => Promise<T>;
  /** Whether the object that it is about still exists, by a route that every server has. */
  exists: () => Promise<boolean>;
  clock: Clock;
}

/** What became of the request, with the last refusal where the object is gone or the server has no such route. */
export type OptionalResult<T> = { response: T } | { gone: HttpError } | { missing: HttpError };

/** Milliseconds between attempts where only the status speaks: a backend restarts within them. */
const WEAK_EVIDENCE_DELAYS_MS = [1000, 4000, 10_000, 15_000];
/** The same where the server lists the methods that the path has. */
const STRONG_EVIDENCE_DELAYS_MS = [1000];

/** @throws HttpError for every refusal that does not speak of a missing route. */
export async function sendOptional<T>({ send, exists, clock }: OptionalRequest<T>): Promise<OptionalResult<T>> {
  for (let attempt = 0; ; attempt++) {
    try {
      return { response: await send() };
    } catch (error) {
      if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
      if (!(await exists())) return { gone: error };
      const delays = listsOtherMethods(error) ? STRONG_EVIDENCE_DELAYS_MS : WEAK_EVIDENCE_DELAYS_MS;
      const delay = delays[attempt];
      if (delay === undefined) return { missing: error };
      await clock.sleep(delay);
    }
  }
}

/**
 * The same for a request that removes the object: a lost response is settled by whether the object still exists.
 * @throws HttpError also where neither the request nor that is answered.
 */
export async function sendRemoval<T>(request: OptionalRequest<T>): Promise<OptionalResult<T>> {
  try {
    return await sendOptional(request);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    const remains = await request.exists().catch((failure: unknown) => {
      if (failure instanceof HttpError) return true;
      throw failure;
    });
    if (remains) throw error;
    return { gone: error };
  }
}

/**
 * The same for a route that every server has, while a proxy does not know the server yet.
 * @throws HttpError the last refusal.
 */
export async function sendWithRouteRetry<T>(send: () => Promise<T>, clock: Clock): Promise<T> {
  const result = await sendOptional({ send, exists: async () => true, clock });
  if ("response" in result) return result.response;
  throw "missing" in result ? result.missing : result.gone;
}

/** A 405 that names the methods of the path, and not this one: proxies do not know them. */
const listsOtherMethods = ({ status, method, allow = "" }: HttpError): boolean =>
  status === 405 && /\w/.test(allow) && !new RegExp(`\\b${method}\\b`, "i").test(allow);
