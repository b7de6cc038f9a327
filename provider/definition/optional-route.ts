/** Routes that a server may lack: their purpose, and what happens without them. `agentgraph doctor` probes them. */
import type { ServerName } from "../settings/servers";

export interface OptionalRoute {
  server: ServerName;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `:id` stands for any ID, `githost` for the server's own term. */
  path: string;
  /** What the route is used for, such as "delete deployments". */
  purpose: string;
  /** What happens without the route. */
  without: string;
  /** The equivalent route of older servers. */
  older?: Pick<OptionalRoute, "method" | "path">;
}

type Row = readonly [method: OptionalRoute["method"], path: string, purpose: string, without: string];

/** Builds the routes of one server from rows. */
export const optionalRoutes = (server: ServerName, ...rows: readonly Row[]): OptionalRoute[] =>
  rows.map(([method, path, purpose, without]) => ({ server, method, path, purpose, without }));
