import type { ApiResponse } from "../http/route";
import type { Context } from "../runtime/context";

/** The part of a list that a request asks for. */
export interface PageQuery {
  limit: number;
  offset: number;
  /** Names of the fields to return; all without it, or when it is empty. */
  select?: readonly string[];
}

/** Returns one page, with the headers that say where the next one begins. */
export function pageResponse(
  context: Pick<Context, "settings">,
  matches: readonly object[],
  { limit, offset, select = [] }: PageQuery,
): ApiResponse {
  const isPython = context.settings.agentServer === "python";
  const page = matches.slice(offset, offset + limit);
  const end = offset + page.length;
  // The server in JavaScript looks at the total, and only a page that exists has one.
  const total = page.length === 0 ? 0 : matches.length;
  const hasNext = isPython ? end < matches.length : total === limit;
  const next = isPython ? end : offset + total;
  return {
    status: 200,
    headers: {
      "x-pagination-total": String(next + Number(hasNext)),
      ...(hasNext && { "x-pagination-next": String(next) }),
    },
    body: select.length === 0 ? page : page.map((item) => pick(item, select)),
  };
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
