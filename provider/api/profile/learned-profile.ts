/**
 * What a server of which too little is known has shown in this run. A single 404, 405 or 501 proves nothing, because a
 * proxy returns it while a backend restarts. A route counts as missing only when the request fails repeatedly while
 * another route still returns the object. Each feature is learned once, so that these waits do not add up.
 */
import type { Clock } from "../../http/clock";
import { HttpError, inPlaceOf, recover, recoverFrom } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { type Feature, factsOf, isRoute, type ServerProfile } from "./features";

export interface ProfiledRequest<T> {
  /** Sends the request. It may be sent several times, so it must be idempotent. */
  send: () => Promise<T>;
  /** Whether the object of the request still exists, by a route that every server has. Default: yes. */
  exists?: () => Promise<boolean>;
}

export class UnsupportedError extends UserError {
  override name = "UnsupportedError";

  constructor(
    readonly feature: Feature,
    readonly rejection: HttpError,
    message = `This server cannot ${factsOf(feature).purpose} (${rejection.summary}).`,
  ) {
    super(message);
  }
}

/** For `catch`: returns the value in place of what the server cannot do. */
export const inPlaceOfUnsupported = <T>(value: T) => recoverFrom(UnsupportedError, () => value);

/** Delays between attempts when only the status indicates a missing route; long enough for a backend to restart. */
const WEAK_EVIDENCE_DELAYS_MS = [1000, 4000, 10_000, 15_000];
/** The same once the server was found to lack another route: this is how it rejects unknown routes. */
const KNOWN_REJECTION_DELAYS_MS = [1000, 4000];
/** Delays between attempts when the server lists the methods of the path. */
const STRONG_EVIDENCE_DELAYS_MS = [1000];

export class LearnedProfile {
  private readonly known: Partial<Record<Feature, boolean>>;

  /** @param known What is known without a request: the profile of a platform. */
  constructor(
    private readonly clock: Clock,
    known: ServerProfile = {},
  ) {
    this.known = { ...known };
  }

  has(feature: Feature): boolean | undefined {
    return this.known[feature];
  }

  learn(feature: Feature, isSupported: boolean): void {
    this.known[feature] = isSupported;
  }

  /** Undefined when the object no longer exists. @throws UnsupportedError when the server lacks the route. */
  async send<T>(feature: Feature, request: ProfiledRequest<T>): Promise<T | undefined> {
    const result = await repeat(request, this.clock, (error) => this.delaysFor(error, feature));
    if ("gone" in result) return undefined;
    if ("response" in result) {
      this.learn(feature, true);
      return result.response;
    }
    if (this.has(feature)) throw result.missing.withHint(HAD_ROUTE);
    this.learn(feature, false);
    throw new UnsupportedError(feature, result.missing);
  }

  /**
   * Sends a read whose result decides what is lost. @param readFlag Returns what /info says of the feature.
   * @returns Undefined where /info says that the server has no such route, or where the route stays missing.
   */
  async read<T>(
    feature: Feature,
    request: ProfiledRequest<T>,
    readFlag: () => Promise<boolean | undefined>,
  ): Promise<T | undefined> {
    try {
      const response = await request.send();
      this.learn(feature, true);
      return response;
    } catch (error) {
      if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
      // A server that restarts does not say what it supports, and a proxy may return 404 for both.
      const isSupported = await readFlag().catch(inPlaceOf(({ isRetryable }) => !isRetryable, undefined));
      if (isSupported) throw error;
      return isSupported === false ? undefined : this.send(feature, request).catch(inPlaceOfUnsupported(undefined));
    }
  }

  /** Removes the object; whether it exists settles a lost response and a rejection. @throws UnsupportedError. */
  async remove<T>(feature: Feature, request: Required<ProfiledRequest<T>>): Promise<T | undefined> {
    const settle = async (error: HttpError) => {
      if (await request.exists().catch(inPlaceOf(() => true, true))) throw error;
      return undefined;
    };
    return this.send(feature, request).catch(
      recover<Promise<T | undefined>>(({ outcomeUnknown, isRejection }) => outcomeUnknown || isRejection, settle),
    );
  }

  private delaysFor(error: HttpError, feature: Feature): readonly number[] {
    const isKnown = this.has(feature);
    if (isKnown === false) return [];
    if (isKnown === undefined && listsOtherMethods(error)) return STRONG_EVIDENCE_DELAYS_MS;
    return isKnown === undefined && this.lacksRoutes ? KNOWN_REJECTION_DELAYS_MS : WEAK_EVIDENCE_DELAYS_MS;
  }

  private get lacksRoutes(): boolean {
    return Object.entries(this.known).some(([feature, isSupported]) => !isSupported && isRoute(feature as Feature));
  }
}

const HAD_ROUTE =
  "The server responded to such a request earlier in this run, so a proxy or a replica of it is faulty. State " +
  "is unchanged. Run the command again.";

/** Sends a request to a route that every server has; retries while a proxy has no route. @throws HttpError. */
export async function sendWithRouteRetry<T>(send: () => Promise<T>, clock: Clock): Promise<T> {
  const result = await repeat({ send }, clock, () => WEAK_EVIDENCE_DELAYS_MS);
  if ("response" in result) return result.response;
  throw "missing" in result ? result.missing : result.gone;
}

/** @throws HttpError for every error that does not indicate a missing route. */
async function repeat<T>(
  { send, exists = async () => true }: ProfiledRequest<T>,
  clock: Clock,
  delaysFor: (error: HttpError) => readonly number[],
): Promise<{ response: T } | { gone: HttpError } | { missing: HttpError }> {
  for (let attempt = 0; ; attempt++) {
    try {
      return { response: await send() };
    } catch (error) {
      if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
      if (!(await exists())) return { gone: error };
      const delay = delaysFor(error)[attempt];
      if (delay === undefined) return { missing: error };
      await clock.sleep(delay);
    }
  }
}

/** Whether a 405 lists the methods of the path without this one, which a proxy cannot do. */
const listsOtherMethods = ({ status, method, allow = "" }: HttpError): boolean =>
  status === 405 && /\w/.test(allow) && !new RegExp(`\\b${method}\\b`, "i").test(allow);
