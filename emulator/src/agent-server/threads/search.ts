import type { SQLInputValue } from "node:sqlite";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { type Agent, ownerMetadata } from "../requests/auth";
import { matchesMetadata } from "../requests/metadata-filter";
import { pageHeaders, selectFields } from "../requests/page";
import { threadResponse } from "../responses";
import { fullThread, type SearchBody } from "../schemas";
import { traitsOf } from "../server/server-traits";
import { checkPaths, extractValue } from "./extract";
import { contains, isDecidedByLabels, labelConditions } from "./json-index";
import { toThread } from "./records";

/** POST /threads/search: all filters must match; newest first unless `sort_by` is set. */
export function searchThreads(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const body = request.body as SearchBody & { limit: number };
  const { limit, offset = 0, select, extract } = body;
  if (extract) checkPaths(extract, Object.keys(fullThread));
  const page = findMatches(context, agent, body, { limit, offset });
  const threads = page.map((seq) => {
    const row = context.store.get("SELECT * FROM threads WHERE seq = ?", seq);
    return row ? threadResponse(context, toThread(row)) : {};
  });
  const { interfaceOnly } = context.settings;
  const headers = interfaceOnly
    ? {}
    : pageHeaders(context, { offset, limit, size: page.length, total: countMatches(context, agent, body) });
  const selected = selectFields(context, threads, select);
  return {
    status: 200,
    headers,
    body: extract ? selected.map((thread, n) => withExtracted(thread, threads[n], extract)) : selected,
  };
}

function withExtracted(selected: object, thread: unknown, paths: Readonly<Record<string, string>>) {
  const values = Object.entries(paths).map(([name, path]) => [name, extractValue(thread, path)]);
  return { ...selected, extracted: Object.fromEntries(values) };
}

/** POST /threads/count: returns a bare number. */
export function countThreads(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  return { status: 200, body: countMatches(context, agent, request.body as SearchBody) };
}

function countMatches(context: Context, agent: Agent, search: SearchBody): number {
  const { where, values, predicate } = conditions(context, agent, search);
  if (predicate) return findMatches(context, agent, search).length;
  return Number(context.store.get(`SELECT count(*) AS n FROM threads WHERE ${where}`, ...values)?.n);
}

/** Returns the `seq` of the matching threads of a page. Uses indexes wherever possible. */
function findMatches(
  context: Context,
  agent: Agent,
  search: SearchBody,
  page?: { limit: number; offset: number },
): number[] {
  const { where, values, predicate } = conditions(context, agent, search);
  const byDefault = context.settings.interfaceOnly ? "created_at" : traitsOf(context).threadOrder;
  const { sort_by: column = byDefault, sort_order: order = "desc" } = search;
  // Column names come from the schema, not from the client.
  const by = column === "thread_id" ? "id" : column;
  // Real servers keep the order of creation among equal ones.
  const tie = column === "status" ? "asc" : order;
  const sql = `SELECT seq FROM threads WHERE ${where} ORDER BY ${by} ${order}, seq ${tie}`;
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

function conditions(context: Context, agent: Agent, search: SearchBody): Conditions {
  const { store, vocabulary } = context;
  const { status, ids } = search;
  const traits = traitsOf(context);
  const requestedValues = traits.filtersByValues ? search.values : undefined;
  const deploymentId = agent.deployment.id;
  const metadata = { ...search.metadata };
  const parts = [
    { sql: "deployment_id = ?", values: [deploymentId] as SQLInputValue[] },
    ...(status === undefined ? [] : [{ sql: "status = ?", values: [status] }]),
    ...(ids === undefined || ids.length === 0
      ? []
      : [{ sql: "id IN (SELECT value FROM json_each(?))", values: [JSON.stringify(ids)] }]),
    ...labelConditions(deploymentId, metadata),
    // A filter for another user's threads matches none.
    ...labelConditions(deploymentId, ownerMetadata({ vocabulary }, agent)),
  ];
  const where = parts.map(({ sql }) => sql).join(" AND ");
  const values = parts.flatMap((part) => part.values);
  const isDecided = isDecidedByLabels(metadata, traits.comparesLists);
  if (isDecided && requestedValues === undefined) return { where, values };
  const sql = `SELECT threads.metadata, checkpoints.state FROM threads
    LEFT JOIN checkpoints ON checkpoints.seq = threads.head WHERE threads.seq = ?`;
  const predicate = (seq: number) => {
    const row = store.get(sql, seq);
    const state = row?.state ? JSON.parse(String(row.state)) : {};
    const matches = matchesMetadata(context, JSON.parse(String(row?.metadata)), metadata);
    return matches && contains(state, requestedValues ?? {});
  };
  return { where, values, predicate };
}
