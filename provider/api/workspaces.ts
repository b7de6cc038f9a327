/** The workspace of requests: that of the settings, else the only one that the API key can see. */
import { z } from "zod";
import type { HttpClient } from "../http/client";
import { type HttpError, inPlaceOf } from "../http/errors";
import { describeMissing, howToCorrect, howToSet } from "../settings/setting-warnings";
import { SettingsError } from "../settings/settings";

/** API `4C.GET /api/v1/workspaces`. */
const PATH = "/api/v1/workspaces";
const listSchema = z.array(z.object({ id: z.string().min(1), display_name: z.string().nullish() }));
type Listed = z.infer<typeof listSchema>[number];

const MAX_LISTED = 20;

interface WorkspacesOptions {
  tenantId: string | undefined;
  /** Where it comes from. */
  source: string | undefined;
  /** Whether the settings are arguments of a Provider. */
  explicit: boolean;
  /** The tracing API without a workspace; undefined if its URL is not known. */
  http: HttpClient | undefined;
}

export class Workspaces {
  private found: string | undefined;
  private listed: Promise<Listed[] | undefined> | undefined;

  constructor(private readonly options: WorkspacesOptions) {}

  /** The workspace, as far as it is known. */
  get id(): string | undefined {
    return this.options.tenantId ?? this.found;
  }

  /** Finds the workspace. @throws SettingsError that lists the workspaces of the API key, if there are several. */
  async require(): Promise<void> {
    if (this.id !== undefined) return;
    const workspaces = await this.list();
    if (workspaces?.length !== 1) throw new SettingsError(this.describe(workspaces ?? []));
    this.found = workspaces[0]?.id;
  }

  /** The same after a rejection. @throws HttpError with the workspaces that the API key can see. */
  async find(rejection: HttpError): Promise<void> {
    const workspaces = await this.list().catch(() => undefined);
    if (workspaces?.length !== 1) throw rejection.withHint(this.describe(workspaces ?? []));
    this.found = workspaces[0]?.id;
  }

  /** Returns a rejection with the workspaces that the API key can see, if that of the settings is none of them. */
  async explain(rejection: HttpError): Promise<HttpError> {
    const { tenantId, source } = this.options;
    const workspaces = (await this.list().catch(() => undefined)) ?? [];
    const isSeen = workspaces.some(({ id }) => id.toLowerCase() === tenantId?.toLowerCase());
    if (tenantId === undefined || workspaces.length === 0 || isSeen) return rejection;
    return rejection.withHint(
      `tenantId is ${tenantId}, which is not the ID of a workspace that the API key can see. To correct it, ` +
        `${howToCorrect(source)} The API key can see these workspaces:\n${listed(workspaces)}`,
    );
  }

  /** Returns the workspaces of the API key; undefined if the server does not list them. */
  list(): Promise<Listed[] | undefined> {
    this.listed ??= this.request();
    this.listed.catch(() => {
      this.listed = undefined;
    });
    return this.listed;
  }

  private async request(): Promise<Listed[] | undefined> {
    const isWithoutList = ({ isUnsupportedRoute, isInvalid }: HttpError) => isUnsupportedRoute || isInvalid;
    const request = this.options.http?.send({ method: "GET", path: PATH });
    return listSchema.safeParse((await request?.catch(inPlaceOf(isWithoutList, undefined)))?.json).data;
  }

  private describe(workspaces: readonly Listed[]): string {
    const remedy = howToSet("tenantId", this.options.explicit);
    const seen = workspaces.length === 0 ? "" : ` The API key can see these workspaces:\n${listed(workspaces)}`;
    return describeMissing([{ name: "tenantId", remedy: remedy + seen }]);
  }
}

function listed(workspaces: readonly Listed[]): string {
  const lines = workspaces
    .slice(0, MAX_LISTED)
    .map(({ id, display_name: name }) => `    ${id}  ${name ?? ""}`.trimEnd());
  const more = workspaces.length - lines.length;
  return [...lines, ...(more > 0 ? [`    and ${more} more`] : [])].join("\n");
}
