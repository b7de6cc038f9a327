import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import type { Tables } from "../runtime/storage/store";
import { parseUuid } from "../runtime/validation/uuid";

/** The workspace of an API key that names no other. */
export const defaultTenantId = "11111111-1111-4111-8111-111111111111";

/** Seeded API keys and the workspaces that each can access. */
export const authTables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, organization INTEGER NOT NULL, workspaces TEXT NOT NULL,
    expires_at TEXT);
`,
};

/** An API key and the workspaces that it can access. */
interface ApiKey {
  /** The key can access every workspace, and requests must name one. */
  organization: boolean;
  /** The first one is the default. Empty: all workspaces. */
  workspaces: string[];
  expiresAt: string | null;
}

type Header = (name: string) => string | undefined;

/**
 * Returns the workspace of a request (API `5`). With `requiresBothHeaders`, a key alone does not select one.
 * @throws ApiError 401 without credentials, 403 with invalid ones.
 */
export function authenticate(context: Context, header: Header, requiresBothHeaders = false): string {
  const { strict, interfaceOnly } = context.settings;
  // The interface does not mention bearer tokens for bulk exports, but real servers accept them.
  const key = keyOf(context, header, !(requiresBothHeaders && (strict || interfaceOnly)));
  const requestedTenantId = header("x-tenant-id") || undefined;
  if (requiresBothHeaders && requestedTenantId === undefined) {
    throw new ApiError(403, "This request requires workspace specification: send the X-Tenant-Id header");
  }
  return requestedTenantId === undefined ? workspaceOfKey(key) : requestedWorkspace(key, requestedTenantId);
}

/** Returns the IDs of the workspaces that the credentials of a request can see (API `4C.GET /api/v1/workspaces`). */
export function visibleWorkspaces(context: Context, header: Header): string[] {
  const { organization, workspaces } = keyOf(context, header, true);
  if (workspaces.length > 0) return workspaces;
  if (!organization) return [defaultTenantId];
  return context.store.all("SELECT id FROM workspaces ORDER BY name, id").map(({ id }) => String(id));
}

/** Returns the API key of a request. @throws ApiError 401 without credentials, 403 with invalid ones. */
function keyOf(context: Context, header: Header, bearer: boolean): ApiKey {
  const token = bearer ? /^bearer +(.+)$/i.exec(header("authorization") ?? "")?.[1] : undefined;
  const credential = header("x-api-key") || token;
  if (!credential) throw new ApiError(401, "Not authenticated");
  const key = findKey(context, credential);
  if (key.expiresAt && Date.parse(key.expiresAt) <= context.clock.now())
    throw new ApiError(401, "The API key has expired");
  return key;
}

/** Returns whether the credentials of a request also grant access to another workspace. */
export function hasAccess(context: Context, header: Header, tenantId: string): boolean {
  try {
    return authenticate(context, (name) => (name === "x-tenant-id" ? tenantId : header(name))) === tenantId;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function findKey({ store, settings }: Context, credential: string): ApiKey {
  const row = store.get("SELECT * FROM keys WHERE key = ?", credential);
  if (row) {
    const workspaces: string[] = JSON.parse(String(row.workspaces));
    return {
      organization: row.organization === 1,
      workspaces,
      expiresAt: row.expires_at ? String(row.expires_at) : null,
    };
  }
  const acceptsAnyKey = settings.apiKey === undefined && !store.get("SELECT 1 FROM keys LIMIT 1");
  if (!acceptsAnyKey && credential !== settings.apiKey) throw new ApiError(403, "Invalid API key");
  return { organization: false, workspaces: [], expiresAt: null };
}

function workspaceOfKey(key: ApiKey): string {
  const [first, ...others] = key.workspaces;
  if (!key.organization && others.length === 0) return first ?? defaultTenantId;
  // Published clients recognize the error by its words.
  const detail = "This API key is org-scoped and requires workspace specification: send the X-Tenant-Id header";
  throw new ApiError(403, detail);
}

function requestedWorkspace(key: ApiKey, text: string): string {
  const parsed = parseUuid(text);
  if ("error" in parsed) {
    const msg = `Input should be a valid UUID, ${parsed.error}`;
    throw new ApiError(422, [
      { type: "uuid_parsing", loc: ["header", "x-tenant-id"], msg, input: text, ctx: { error: parsed.error } },
    ]);
  }
  const allowed = key.workspaces.length === 0 || key.workspaces.includes(parsed.uuid);
  if (!allowed) throw new ApiError(403, `This API key does not open the workspace ${parsed.uuid}`);
  return parsed.uuid;
}
