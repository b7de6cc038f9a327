import { defaultTenantId } from "../../../emulator/src";
import type { Platform } from "../platform";

/** Settings of a program with exports. */
export const tracingSettings = (platform: Pick<Platform, "url">) => ({
  tracingApiUrl: platform.url,
  tenantId: defaultTenantId,
});

/** Headers of another client of the tracing API. */
const headers = { "x-api-key": "somebody-else", "x-tenant-id": defaultTenantId };

/** Sends a request without the provider. */
export const callTracingApi = (
  platform: Platform,
  method: string,
  path: string,
  body?: unknown,
): ReturnType<Platform["call"]> => platform.call(method, `/api/v1/${path}`, body, headers);
