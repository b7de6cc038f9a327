import type { Context } from "./context";
import { ApiError } from "./errors";
import { parseUuid } from "./validation/uuid";

/** The workspace of a key that says nothing else. */
export const defaultTenantId = "11111111-1111-4111-8111-111111111111";

/** A key and what it opens. */
interface Key {
  /** Opens every workspace, and must say which. */
  organization: boolean;
  /** The first is the one that counts when a request names none. */
  workspaces: string[];
  expiresAt: string | null;
}

/** The workspace a request may act in: 401 without credentials, 403 with wrong ones (interface.md section 5). */
export function authenticate(context: Context, header: (name: string) => string | undefined): string {
  const credential = header("x-api-key") || /^bearer +(.+)$/i.exec(header("authorization") ?? "")?.[1];
  if (!credential) throw new ApiError(401, "Not authenticated");
  const key = findKey(context, credential);
  if (key.expiresAt && Date.parse(key.expiresAt) <= context.clock.now())
    throw new ApiError(401, "The API key has expired");
  const wanted = header("x-tenant-id");
  return wanted === undefined ? ownWorkspace(key) : allowedWorkspace(key, wanted);
}

function findKey({ store, settings }: Context, credential: string): Key {
  const row = store.get("SELECT * FROM keys WHERE key = ?", credential);
  if (row) {
    const workspaces: string[] = JSON.parse(String(row.workspaces));
    return {
      organization: row.organization === 1,
      workspaces,
      expiresAt: row.expires_at ? String(row.expires_at) : null,
    };
  }
  const open = settings.apiKey === undefined && !store.get("SELECT 1 AS found FROM keys LIMIT 1");
  if (!open && credential !== settings.apiKey) throw new ApiError(403, "Invalid API key");
  return { organization: false, workspaces: [], expiresAt: null };
}

function ownWorkspace(key: Key): string {
  const [first, ...others] = key.workspaces;
  if (!key.organization && others.length === 0) return first ?? defaultTenantId;
  throw new ApiError(
    403,
    "This API key is organization-wide and needs a workspace specification: send the X-Tenant-Id header",
  );
}

function allowedWorkspace(key: Key, text: string): string {
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
