import { defaultTenantId } from "../../emulator/src/index";
import type { Platform } from "./platform";

/** The settings of a program that exports. */
export const tracingSettings = (platform: Pick<Platform, "url">) => ({
  tracingApiUrl: platform.url,
  tenantId: defaultTenantId,
});

/** How somebody else asks the tracing API. */
const headers = { "x-api-key": "somebody-else", "x-tenant-id": defaultTenantId };

/** A call past the provider. */
export const callTracingApi = (
  platform: Platform,
  method: string,
  path: string,
  body?: unknown,
): ReturnType<Platform["call"]> => platform.call(method, `/api/v1/${path}`, body, headers);
