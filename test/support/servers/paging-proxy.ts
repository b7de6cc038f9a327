import { isPropertyMap, type PropertyMap } from "../../../provider/schema/schema";
import type { Platform } from "../platform";
import { type ProxiedRequest, startProxy } from "./proxy";

/** Deviations in how a server pages its lists. */
export interface Paging {
  /** Maximum number of items on a page, whatever the `limit`. */
  maxPageSize?: number;
  /** Whether every response is the first page. */
  ignoresOffset?: boolean;
}

/** Starts a proxy in front of the emulator that pages lists in this way. */
export async function startPagingProxy(
  platform: Platform,
  { maxPageSize = Number.POSITIVE_INFINITY, ignoresOffset = false }: Paging,
): Promise<Pick<Platform, "clock" | "url">> {
  const forward = (path: string, method: string) => {
    const url = new URL(path, platform.url);
    if (method !== "GET" || !LISTS.test(url.pathname)) return path;
    const limit = Number(url.searchParams.get("limit") ?? 20);
    url.searchParams.set("limit", String(Math.min(limit, maxPageSize)));
    if (ignoresOffset) url.searchParams.delete("offset");
    return url.pathname + url.search;
  };
  const pagedBody = ({ offset, before, limit, ...body }: PropertyMap) => {
    const rest = ignoresOffset ? {} : { offset, before };
    return { ...body, ...rest, ...(limit !== undefined && { limit: Math.min(Number(limit), maxPageSize) }) };
  };
  const rewrite = ({ body }: ProxiedRequest) => (isPropertyMap(body) ? { body: pagedBody(body) } : undefined);
  return { clock: platform.clock, url: await startProxy(platform.url, rewrite, { forward }) };
}

/** Paths of paged lists. */
const LISTS = /\/(deployments|revisions|listeners|sessions)$/;
