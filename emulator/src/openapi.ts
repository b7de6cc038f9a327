import type { Context } from "./context";
import type { Route } from "./routes";

export function openApi(_context: Context, routes: readonly Route[]): unknown {
  return {
    openapi: "3.1.0",
    info: { title: "Agent deployments", version: "0.1.0" },
    paths: Object.fromEntries(routes.map((r) => [r.path, {}])),
  };
}
