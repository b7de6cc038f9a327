/** Routes that a server may lack: what they are for, and what happens without them. `agentgraph doctor` probes them. */
import type { ServerName } from "../settings/servers";

export interface OptionalRoute {
  server: ServerName;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `:id` stands for any ID, and `githost` for the server's own word. */
  path: string;
  /** What it does, such as "delete deployments". */
  purpose: string;
  /** What happens where it is missing. */
  without: string;
  /** The form of older servers, which does the same. */
  older?: Pick<OptionalRoute, "method" | "path">;
}

type Row = readonly [method: OptionalRoute["method"], path: string, purpose: string, without: string];

/** The routes of one server, a row each. */
export const optionalRoutes = (server: ServerName, ...rows: readonly Row[]): OptionalRoute[] =>
  rows.map(([method, path, purpose, without]) => ({ server, method, path, purpose, without }));
