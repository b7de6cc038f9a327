/** The requests to the tracing API, of whose objects only the ID is certain, and which routes it has. */
import type { z } from "zod";
import type { HttpRequest, HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { describeMissingId } from "../../http/error-detail";
import { HttpError } from "../../http/errors";
import { remoteId } from "../../schema/id";
import type { JsonClient } from "../json-client";
import type { Feature } from "../profile/features";
import { LearnedProfile } from "../profile/learned-profile";

export const EXPORTS = "/api/v1/bulk-exports";

/** API `1C:plan`. */
const PLAN_HINT = "Bulk exports require the Enterprise plan, or the Plus plan for customers from before 3 August 2026.";
const NAMES_CREDENTIAL = /\bapi[ _-]?key\b|\btoken\b|\bcredentials?\b/i;

export abstract class TracingObjectClient {
  readonly profile: LearnedProfile;

  constructor(
    protected readonly json: JsonClient,
    clock: Clock,
  ) {
    this.profile = new LearnedProfile(clock);
  }

  /** Requests a list once; undefined when its route is not found. */
  protected async tryList<T>(route: Feature, send: () => Promise<T[]>): Promise<T[] | undefined> {
    try {
      const items = await send();
      this.profile.learn(route, true);
      return items;
    } catch (error) {
      if (error instanceof HttpError && error.isUnsupportedRoute) return undefined;
      throw error;
    }
  }

  /** @param requestedId The ID in the request; the response may omit it. */
  protected async requestObject<T>(
    schema: z.ZodType<T>,
    request: HttpRequest,
    requestedId?: string,
  ): Promise<WithId<T>> {
    const response = await this.json.send(request).catch(withPlanHint);
    return this.toObject(schema, request, response, requestedId);
  }

  protected toObject<T>(schema: z.ZodType<T>, request: HttpRequest, response: HttpResponse, id?: string): WithId<T> {
    const fields = this.json.decode(schema, request, response);
    const object = withId<T>({ ...(id !== undefined && { id }), ...fields });
    if (object) return object;
    throw this.json.failure(request, describeMissingId(response.json), response);
  }

  /** Drops items without an ID. */
  protected async requestList<T>(schema: z.ZodType<T>, request: HttpRequest): Promise<WithId<T>[]> {
    const items = await this.json.getList(schema, request).catch(withPlanHint);
    return items.flatMap((item) => withId<T>(item as object) ?? []);
  }
}

type WithId<T> = Partial<T> & { id: string };

/** Converts the status to upper case, as in the interface: live servers use other spellings. */
function withId<T>(object: { id?: unknown; status?: unknown }): WithId<T> | undefined {
  if (!remoteId.safeParse(object.id).success) return undefined;
  const { status } = object;
  return (typeof status === "string" ? { ...object, status: status.toUpperCase() } : object) as WithId<T>;
}

export function withPlanHint(error: unknown): never {
  if (!(error instanceof HttpError) || error.status !== 403 || !error.path.startsWith(EXPORTS)) throw error;
  // A server that names the credential has not looked at the plan.
  throw NAMES_CREDENTIAL.test(error.detail) ? error : error.withHint(PLAN_HINT);
}
