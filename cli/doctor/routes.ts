/**
 * Checks which optional routes a server has (interface-notes, sections 2, 3 and 5). Sends only GET and OPTIONS: for a
 * path that exists, the response to OPTIONS is 405 with the methods of the path.
 */
import type { OptionalRoute } from "../../provider/definition/optional-route";
import { definitions } from "../../provider/definitions";
import type { HttpClient } from "../../provider/http/client";
import { isUnknownPath } from "../../provider/http/error-detail";
import { HttpError } from "../../provider/http/errors";
import type { ServerName } from "../../provider/settings/servers";
import type { Vocabulary } from "../../provider/settings/vocabulary";
import type { Check } from "./check";

/** An ID that no resource has. */
const UNUSED_ID = "00000000-0000-4000-8000-000000000000";

/** Returns the optional routes of all kinds of resources, each once. */
function routesOf(server: ServerName, githost: string): OptionalRoute[] {
  const all = definitions.flatMap(({ optionalRoutes }) => optionalRoutes).filter((route) => route.server === server);
  const once = new Map(all.map((route) => [`${route.method} ${route.path}`, route]));
  const filled = (path: string) => path.replaceAll(":id", UNUSED_ID).replace("/githost/", `/${githost}/`);
  return [...once.values()].map(({ older, ...route }) => ({
    ...route,
    path: filled(route.path),
    ...(older && { older: { ...older, path: filled(older.path) } }),
  }));
}

export async function checkRoutes(door: HttpClient, server: ServerName, { githost }: Vocabulary): Promise<Check[]> {
  const routes = routesOf(server, githost);
  const forms = routes.map((route) => [route, ...(route.older ? [route.older] : [])]);
  const [lists, ...seen] = await Promise.all([
    ask(door, BOTH[server]),
    ...forms.map((all) => Promise.all(all.map((form) => ask(door, form)))),
  ]);
  // Some frameworks name only the first method of a path: a single method is reliable only if another path has several.
  const isFull = [lists, ...seen.flat()].some((error) => methodsIn(error).length > 1);
  const answers = routes.map((route, index) => {
    const judged = forms[index]?.map((form, which) => judge(form, seen[index]?.[which], isFull)) ?? [];
    return { ...route, has: BEST.find((answer) => judged.includes(answer)) ?? "untold" };
  });
  const having = (answer: Answer) => answers.filter(({ has }) => has === answer);
  const [there, untold] = [having("yes"), having("untold")];
  const count = there.length === routes.length ? `all ${routes.length}` : `${there.length} of ${routes.length}`;
  return [
    {
      id: "routes",
      status: "ok",
      says: `supports ${count} optional routes${there.length > 0 ? `: ${names(there)}` : ""}`,
    },
    ...having("no").map(missing),
    ...(untold.length > 0
      ? [note("untold-routes", `could not determine whether the server can ${names(untold)}`)]
      : []),
  ];
}

const names = (found: readonly OptionalRoute[]) => found.map(({ purpose }) => purpose).join(", ");
const note = (id: string, says: string): Check => ({ id, status: "note", says });

function missing({ method, path, purpose, without }: OptionalRoute): Check {
  const shown = path.replaceAll(UNUSED_ID, "<id>").replace(/\?.*/, "");
  return note("missing-route", `has no route to ${purpose} (${method} ${shown}): ${without}`);
}

/** A path that has two methods in the interface. */
const BOTH: Record<ServerName, Pick<OptionalRoute, "method" | "path">> = {
  controlPlane: { method: "POST", path: "/v2/deployments" },
  tracing: { method: "POST", path: "/api/v1/bulk-exports" },
};

type Answer = "yes" | "no" | "untold";
/** One supported form of a route is enough; a route is missing only if all its forms are. */
const BEST = ["yes", "untold", "no"] as const satisfies readonly Answer[];

/** Probes a route. Returns the error of the server; undefined if the request succeeded. */
function ask(
  door: HttpClient,
  { method, path }: Pick<OptionalRoute, "method" | "path">,
): Promise<HttpError | undefined> {
  const [pathname = "", search] = path.split("?");
  const query = Object.fromEntries(new URLSearchParams(search));
  return method === "GET" ? answerTo(door, "GET", pathname, query) : answerTo(door, "OPTIONS", pathname, {});
}

function judge({ method }: Pick<OptionalRoute, "method">, seen: HttpError | undefined, isFull: boolean): Answer {
  if (method === "GET") return byGet(seen);
  if (seen?.status === 404) return isUnknownPath(seen.detail) ? "no" : "untold";
  const methods = methodsIn(seen);
  if (methods.includes(method)) return "yes";
  return methods.length > 0 && isFull ? "no" : "untold";
}

const methodsIn = (error: HttpError | undefined): readonly string[] =>
  (error?.allow ?? "").toUpperCase().match(/\b(GET|POST|PUT|PATCH|DELETE)\b/g) ?? [];

function byGet(error: HttpError | undefined): Answer {
  if (error === undefined) return "yes";
  if (error.status === 405 || error.status === 501) return "no";
  if (error.isNotFound) return isUnknownPath(error.detail) ? "no" : "yes";
  // Another route may have parsed the end of the path as an ID and rejected it.
  return error.isRetryable || error.status === 422 ? "untold" : "yes";
}

async function answerTo(door: HttpClient, method: "GET" | "OPTIONS", path: string, query: Record<string, string>) {
  try {
    await door.send({ method, path, query });
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}
