import type { ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { traitsOf } from "../server/server-traits";

/** The part of a list that a request asks for. */
export interface PageQuery {
  limit: number;
  offset: number;
  /** Names of the fields to return; all without it. */
  select?: readonly string[];
}

/** Returns one page, with the headers that say where the next one begins. */
export function pageResponse(
  context: Pick<Context, "settings">,
  matches: readonly object[],
  { limit, offset, select }: PageQuery,
): ApiResponse {
  const page = matches.slice(offset, offset + limit);
  return {
    status: 200,
    headers: pageHeaders(context, { offset, limit, size: page.length, total: matches.length }),
    body: selectFields(context, page, select),
  };
}

/** Returns the headers of a page. `size` is the number of its items. */
export function pageHeaders(
  { settings }: Pick<Context, "settings">,
  { offset, limit, size, total }: { offset: number; limit: number; size: number; total: number },
): Record<string, string> {
  const isPython = settings.agentServer === "python";
  // The server in JavaScript looks at the total, and only a page that exists has one.
  const known = size === 0 ? 0 : total;
  const hasNext = isPython ? offset + size < total : known === limit;
  const next = offset + (isPython ? size : known);
  return {
    "x-pagination-total": String(next + Number(hasNext)),
    ...(hasNext && { "x-pagination-next": String(next) }),
  };
}

/** Returns the fields that a search names. */
export function selectFields(
  context: Pick<Context, "settings">,
  items: readonly object[],
  names: readonly string[] | undefined,
): readonly object[] {
  if (!names || (names.length === 0 && traitsOf(context).ignoresEmptySelect)) return items;
  return items.map((item) => pick(item, names));
}

function pick(item: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** Returns a comparison by one field, as text without regard to case; null comes last. */
export function byField(name: string, order: "asc" | "desc"): (a: object, b: object) => number {
  const sign = order === "asc" ? 1 : -1;
  return (a, b) => {
    const [first, second] = [Reflect.get(a, name), Reflect.get(b, name)];
    if (first === second) return 0;
    if (first === null || second === null) return first === null ? 1 : -1;
    return first < second ? -sign : sign;
  };
}
