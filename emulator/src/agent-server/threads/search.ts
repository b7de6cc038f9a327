import type { SQLInputValue } from "node:sqlite";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { type Agent, ownerMetadata } from "../auth";
import { threadResponse } from "../responses";
import type { SearchBody } from "../schemas";
import { contains, isDecidedByLabels, labelConditions } from "./json-index";
import { toThread } from "./records";

/** POST /threads/search: all filters must match; newest first unless `sort_by` is set. */
export function searchThreads(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const body = request.body as SearchBody & { limit: number };
  const { limit, offset = 0, select } = body;
  const page = findMatches(context, agent, body, { limit, offset });
  const threads = page.map((seq) => {
    const row = context.store.get("SELECT * FROM threads WHERE seq = ?", seq);
    return row ? threadResponse(context, toThread(row)) : {};
  });
  return { status: 200, body: select ? threads.map((thread) => selectFields(thread, select)) : threads };
}

/** POST /threads/count: returns a bare number. */
export function countThreads(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { where, values, predicate } = conditions(context, agent, request.body as SearchBody);
  if (predicate) return { status: 200, body: findMatches(context, agent, request.body as SearchBody).length };
  return { status: 200, body: context.store.get(`SELECT count(*) AS n FROM threads WHERE ${where}`, ...values)?.n };
}

/** Returns the `seq` of the matching threads of a page. Uses indexes wherever possible. */
function findMatches(
  context: Context,
  agent: Agent,
  search: SearchBody,
  page?: { limit: number; offset: number },
): number[] {
  const { where, values, predicate } = conditions(context, agent, search);
  const { sort_by: column = "created_at", sort_order: order = "desc" } = search;
  // Column names come from the schema, not from the client.
  const by = column === "thread_id" ? "id" : column;
  const sql = `SELECT seq FROM threads WHERE ${where} ORDER BY ${by} ${order}, seq ${order}`;
  if (page && !predicate) {
    const rows = context.store.all(`${sql} LIMIT ? OFFSET CAST(? AS INTEGER)`, ...values, page.limit, page.offset);
    return rows.map(({ seq }) => Number(seq));
  }
  const all = context.store.all(sql, ...values).map(({ seq }) => Number(seq));
  const matches = predicate ? all.filter(predicate) : all;
  return page ? matches.slice(page.offset, page.offset + page.limit) : matches;
}

interface Conditions {
  where: string;
  values: SQLInputValue[];
  /** A filter that has to inspect each thread. */
  predicate?: (seq: number) => boolean;
}

function conditions({ store, vocabulary }: Context, agent: Agent, search: SearchBody): Conditions {
  const { status, ids, values: requestedValues } = search;
  const deploymentId = agent.deployment.id;
  const metadata = { ...search.metadata };
  const parts = [
    { sql: "deployment_id = ?", values: [deploymentId] as SQLInputValue[] },
    ...(status === undefined ? [] : [{ sql: "status = ?", values: [status] }]),
    ...(ids === undefined ? [] : [{ sql: "id IN (SELECT value FROM json_each(?))", values: [JSON.stringify(ids)] }]),
    ...labelConditions(deploymentId, metadata),
    // A filter for another user's threads matches none.
    ...labelConditions(deploymentId, ownerMetadata({ vocabulary }, agent)),
  ];
  const where = parts.map(({ sql }) => sql).join(" AND ");
  const values = parts.flatMap((part) => part.values);
  if (isDecidedByLabels(metadata) && requestedValues === undefined) return { where, values };
  const sql = `SELECT threads.metadata, checkpoints.state FROM threads
    LEFT JOIN checkpoints ON checkpoints.seq = threads.head WHERE threads.seq = ?`;
  const predicate = (seq: number) => {
    const row = store.get(sql, seq);
    const state = row?.state ? JSON.parse(String(row.state)) : {};
    return contains(JSON.parse(String(row?.metadata)), metadata) && contains(state, requestedValues ?? {});
  };
  return { where, values, predicate };
}

function selectFields(thread: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(thread).filter(([name]) => names.includes(name)));
}
