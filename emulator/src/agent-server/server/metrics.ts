import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { runsInFlightOf } from "../runs/records";
import { textDocument } from "./documents";

/** GET /metrics: how many runs wait and are in progress. Any other format than JSON is that of Prometheus. */
export function getMetrics({ store }: Context, { params, query }: ApiRequest<{ format?: string }>): ApiResponse {
  const runs = runsInFlightOf(store, (params.deployment_id ?? "").toLowerCase());
  const n_running = runs.filter(({ status }) => status === "running").length;
  const workers = { max: 1, active: Math.min(n_running, 1), available: n_running === 0 ? 1 : 0 };
  if (query.format === "json")
    return { status: 200, body: { queue: { n_pending: runs.length - n_running, n_running }, workers } };
  const lines = Object.entries(workers).flatMap(([name, value]) => [
    `# TYPE lg_api_workers_${name} gauge`,
    `lg_api_workers_${name} ${value}.0`,
  ]);
  return textDocument("text/plain; version=1.0.0; charset=utf-8", `${lines.join("\n")}\n`);
}
