/**
 * Requests to routes that a server may lack (API `10.missing-routes`). A single 404, 405 or 501 proves nothing, because
 * a proxy returns it while a backend restarts. A route counts as missing only when the request fails repeatedly while
 * another route still returns the object. What one request learned serves all of the process, so that these waits do
 * not add up.
 */
import { RouteSupport } from "../../api/route-support";
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";

export interface OptionalRequest<T> {
  /** Sends the request. It may be sent several times, so it must be idempotent. */
  send: () => Promise<T>;
  /** Whether the object of the request still exists, by a route that every server has. */
  exists: () => Promise<boolean>;
  clock: Clock;
  /** What the route is called in `support`. */
  route: string;
  /** What is known of the server's routes. */
  support: RouteSupport;
}

/** The result of the request; the last rejection when the object no longer exists or the server lacks the route. */
export type OptionalResult<T> = { response: T } | { gone: HttpError } | { missing: HttpError };

/** Delays between attempts when only the status indicates a missing route; long enough for a backend to restart. */
const WEAK_EVIDENCE_DELAYS_MS = [1000, 4000, 10_000, 15_000];
/** The same once the server was found to lack another route: this is how it rejects unknown routes. */
const KNOWN_REJECTION_DELAYS_MS = [1000, 4000];
/** Delays between attempts when the server lists the methods of the path. */
const STRONG_EVIDENCE_DELAYS_MS = [1000];

/**
 * Sends a request to an optional route.
 * @throws HttpError for every error that does not indicate a missing route, and when the server had the route before.
 */
export async function sendOptional<T>(request: OptionalRequest<T>): Promise<OptionalResult<T>> {
  const { send, exists, clock, route, support } = request;
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await send();
      support.record(route, true);
      return { response };
    } catch (error) {
      if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
      if (!(await exists())) return { gone: error };
      const delay = delaysFor(error, route, support)[attempt];
      if (delay === undefined) {
        if (support.has(route)) throw error.withHint(HAD_ROUTE);
        support.record(route, false);
        return { missing: error };
      }
      await clock.sleep(delay);
    }
  }
}

const HAD_ROUTE =
  "The server responded to such a request earlier in this run, so a proxy or a replica of it is faulty. State is unchanged. Run the command again.";

function delaysFor(error: HttpError, route: string, support: RouteSupport): readonly number[] {
  const isKnown = support.has(route);
  if (isKnown === false) return [];
  if (isKnown === undefined && listsOtherMethods(error)) return STRONG_EVIDENCE_DELAYS_MS;
  return isKnown === undefined && support.lacksAny ? KNOWN_REJECTION_DELAYS_MS : WEAK_EVIDENCE_DELAYS_MS;
}

/**
 * Sends a request that removes the object; a lost response is resolved by whether the object still exists.
 * @throws HttpError also when neither request receives a response.
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
 * Sends a request to a route that every server has, with retries while a proxy does not route to the server yet.
 * @throws HttpError of the last attempt.
 */
export async function sendWithRouteRetry<T>(send: () => Promise<T>, clock: Clock): Promise<T> {
  const request = { send, exists: async () => true, clock, route: "", support: new RouteSupport() };
  const result = await sendOptional(request);
  if ("response" in result) return result.response;
  throw "missing" in result ? result.missing : result.gone;
}

/** Whether a 405 lists the methods of the path without this one, which a proxy cannot do. */
const listsOtherMethods = ({ status, method, allow = "" }: HttpError): boolean =>
  status === 405 && /\w/.test(allow) && !new RegExp(`\\b${method}\\b`, "i").test(allow);
