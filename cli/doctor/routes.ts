/**
 * Which optional routes a server has (interface-notes, sections 2, 3 and 5). Only GET and OPTIONS are sent, so nothing
 * changes: OPTIONS of a path that is there is answered 405 with the methods it has.
 */

import type { Door } from "../../provider/http/client";
import { isUnknownPath } from "../../provider/http/error-detail";
import { RequestError } from "../../provider/http/errors";
import type { ServerName } from "../../provider/settings/servers";
import type { Vocabulary } from "../../provider/settings/vocabulary";
import type { Check } from "./check";

interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** What it does, and what happens where it is missing. */
  does: string;
  without: string;
  /** The form of older services, which does the same. */
  older?: Pick<Route, "method" | "path">;
}

/** An id that nothing has. */
const NOBODY = "00000000-0000-4000-8000-000000000000";
const DEPLOYMENT = `/v2/deployments/${NOBODY}`;
const REVISION = `${DEPLOYMENT}/revisions/${NOBODY}`;
const EXPORT = `/api/v1/bulk-exports/${NOBODY}`;
const DESTINATION = `/api/v1/bulk-exports/destinations/${NOBODY}`;

const route = (method: Route["method"], path: string, does: string, without: string): Route => ({
  ...{ method, path, does, without },
});

const ROUTES = (githost: string): Record<ServerName, Route[]> => ({
  controlPlane: [
    route(
      "DELETE",
      DEPLOYMENT,
      "delete deployments",
      "a destroy drops them from state and leaves them there; replacements fail",
    ),
    route("POST", `${REVISION}/redeploy`, "deploy a revision again", "an unchanged field is sent instead"),
    route("GET", `${DEPLOYMENT}/revisions?limit=1`, "list revisions", "look-ups of them fail"),
    {
      ...route("GET", `${REVISION}/logs?type=build`, "read logs", "errors show no end of the log"),
      older: { method: "POST", path: `/v1/projects/${NOBODY}/revisions/${NOBODY}/build_logs` },
    },
    route("POST", `/v2/deployments/${NOBODY}/upload-url`, "upload sources below /v2", "the path without /v2 is used"),
    route(
      "POST",
      `${DEPLOYMENT}/push-token`,
      "get a push token",
      "images of internal_docker are pushed by other means",
    ),
    route("GET", "/v2/listeners", "list listeners", "look-ups of listeners fail"),
    route("GET", `/v1/integrations/${githost}/install`, "list integrations", "look-ups of integrations fail"),
    route("GET", `/v1/integrations/${githost}/${NOBODY}/repos`, "list repositories", "look-ups of repositories fail"),
  ],
  tracing: [
    route("GET", "/api/v1/sessions?limit=1", "list projects", "tracingProjectId stays empty"),
    route("GET", "/api/v1/bulk-exports", "list exports", "a lost answer of a create is an error that says so"),
    route(
      "PATCH",
      EXPORT,
      "cancel exports",
      "schedules can be neither replaced nor destroyed (forget: true drops them)",
    ),
    route("GET", `${EXPORT}/runs`, "tell the runs of an export", "errors name no day, and no totals are told"),
    route(
      "GET",
      `/api/v1/bulk-exports/runs?source_bulk_export_id=${NOBODY}`,
      "tell the runs of a schedule",
      "look-ups of them fail",
    ),
    route(
      "GET",
      "/api/v1/bulk-exports/destinations",
      "list destinations",
      "a lost answer of a create is an error that says so",
    ),
    route("PATCH", DESTINATION, "rotate credentials", "new credentials need a new destination"),
    route("DELETE", DESTINATION, "delete destinations", "a destroy drops them from state and leaves them there"),
  ],
});

export async function checkRoutes(door: Door, server: ServerName, { githost }: Vocabulary): Promise<Check[]> {
  const routes = ROUTES(githost)[server];
  const forms = routes.map((route) => [route, ...(route.older ? [route.older] : [])]);
  const [lists, ...seen] = await Promise.all([
    ask(door, BOTH[server]),
    ...forms.map((all) => Promise.all(all.map((form) => ask(door, form)))),
  ]);
  // Some frameworks name the first method of a path alone: a single one says all only where others are told in full.
  const isFull = [lists, ...seen.flat()].some((error) => methodsIn(error).length > 1);
  const answers = routes.map((route, index) => {
    const judged = forms[index]?.map((form, which) => judge(form, seen[index]?.[which], isFull)) ?? [];
    return { ...route, has: BEST.find((answer) => judged.includes(answer)) ?? "untold" };
  });
  const having = (answer: Answer) => answers.filter(({ has }) => has === answer);
  const [there, untold] = [having("yes"), having("untold")];
  const count = there.length === routes.length ? `all ${routes.length}` : `${there.length} of ${routes.length}`;
  return [
    { id: "routes", status: "ok", says: `has ${count} optional routes${there.length > 0 ? `: ${names(there)}` : ""}` },
    ...having("no").map(missing),
    ...(untold.length > 0 ? [note("untold-routes", `does not tell whether it can ${names(untold)}`)] : []),
  ];
}

const names = (found: readonly Route[]) => found.map(({ does }) => does).join(", ");
const note = (id: string, says: string): Check => ({ id, status: "note", says });

function missing({ method, path, does, without }: Route): Check {
  const shown = path.replaceAll(NOBODY, "<id>").replace(/\?.*/, "");
  return note("missing-route", `has no route to ${does} (${method} ${shown}): ${without}`);
}

/** A path that has two methods by the interface. */
const BOTH: Record<ServerName, Pick<Route, "method" | "path">> = {
  controlPlane: { method: "POST", path: "/v2/deployments" },
  tracing: { method: "POST", path: "/api/v1/bulk-exports" },
};

type Answer = "yes" | "no" | "untold";
/** Of several forms of a route one is enough, and as long as one of them is untold none is surely missing. */
const BEST = ["yes", "untold", "no"] as const satisfies readonly Answer[];

/** What a server says to a look at a route; nothing where it is served. */
function ask(door: Door, { method, path }: Pick<Route, "method" | "path">): Promise<RequestError | undefined> {
  const [pathname = "", search] = path.split("?");
  const query = Object.fromEntries(new URLSearchParams(search));
  return method === "GET" ? answerTo(door, "GET", pathname, query) : answerTo(door, "OPTIONS", pathname, {});
}

function judge({ method }: Pick<Route, "method">, seen: RequestError | undefined, isFull: boolean): Answer {
  if (method === "GET") return byGet(seen);
  if (seen?.status === 404) return isUnknownPath(seen.detail) ? "no" : "untold";
  const methods = methodsIn(seen);
  if (methods.includes(method)) return "yes";
  return methods.length > 0 && isFull ? "no" : "untold";
}

const methodsIn = (error: RequestError | undefined): readonly string[] =>
  (error?.allow ?? "").toUpperCase().match(/\b(GET|POST|PUT|PATCH|DELETE)\b/g) ?? [];

function byGet(error: RequestError | undefined): Answer {
  if (error === undefined) return "yes";
  if (error.status === 405 || error.status === 501) return "no";
  if (error.isNotFound) return isUnknownPath(error.detail) ? "no" : "yes";
  // Another route may have taken the end of the path for an id, and refuses that.
  return error.isTransient || error.status === 422 ? "untold" : "yes";
}

async function answerTo(door: Door, method: "GET" | "OPTIONS", path: string, query: Record<string, string>) {
  try {
    await door.send({ method, path, query });
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}
