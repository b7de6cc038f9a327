import type { Platform } from "../../../../support/platform";
import { type ProxiedRequest, startProxy } from "../../../../support/servers/proxy";

export interface RemoteLogLine {
  id?: string | null;
  level?: string | null;
  message: string | null;
}

export interface LogProxy extends Pick<Platform, "clock" | "url"> {
  /** The requests for logs, as type and offset: `build 100`. */
  requests: string[];
}

/**
 * Starts a proxy in front of the emulator that returns other logs. As on the platform, only a full page has a cursor.
 * @param linesOf Returns all lines of a log so far, oldest first; undefined leaves the request to the emulator.
 */
export async function startLogProxy(
  platform: Platform,
  linesOf: (type: string, request: ProxiedRequest) => readonly RemoteLogLine[] | undefined,
): Promise<LogProxy> {
  const requests: string[] = [];
  const url = await startProxy(platform.url, (request) => {
    const { path, query } = request;
    if (!path.endsWith("/logs")) return undefined;
    const [type = "", offset = 0, limit] = [query.get("type"), query.get("offset"), query.get("limit")].map(
      (value) => value ?? undefined,
    );
    requests.push(`${type} ${offset}`);
    const lines = linesOf(type, request);
    if (lines === undefined) return undefined;
    const end = Number(offset) + Number(limit);
    const body = {
      logs: lines
        .slice(Number(offset), end)
        .map((line, index) => ({ id: `${type} ${Number(offset) + index}`, ...line })),
      next_offset: lines.length > end ? String(end) : null,
    };
    return { status: 200, body };
  });
  return { url, clock: platform.clock, requests };
}
