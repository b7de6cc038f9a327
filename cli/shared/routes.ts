/**
 * Checks which optional routes a server has (API `10.missing-routes`). Sends only GET and OPTIONS: for a
 * path that exists, the response to OPTIONS is 405 with the methods of the path.
 */
import type { Sender } from "../../provider/api/connection";
import { FEATURES, type FeatureFacts, type RouteFacts } from "../../provider/api/profile/features";
import { isUnknownPath } from "../../provider/http/error-detail";
import { HttpError } from "../../provider/http/errors";
import type { ServerName } from "../../provider/settings/servers";
import type { Vocabulary } from "../../provider/text/vocabulary";
import type { Check } from "./check";

/** An ID that no resource has. */
const UNUSED_ID = "00000000-0000-4000-8000-000000000000";

type OptionalRoute = FeatureFacts & RouteFacts;

/** The optional routes of a server: those that the contract does not have. */
const optionalRoutesOf = (server: ServerName): OptionalRoute[] =>
  Object.values<FeatureFacts>(FEATURES).filter(
    (facts): facts is OptionalRoute =>
      facts.server === server && facts.method !== undefined && facts.without !== undefined,
  );

/** Returns the optional routes of a server, with a path that can be requested. */
function routesToProbe(server: ServerName, githost: string): OptionalRoute[] {
  const fillPath = (path: string) => path.replaceAll(":id", UNUSED_ID).replace("/githost/", `/${githost}/`);
  return optionalRoutesOf(server).map(({ older, ...route }) => ({
    ...route,
    path: fillPath(route.path),
    ...(older && { older: { ...older, path: fillPath(older.path) } }),
  }));
}

export async function checkRoutes(http: Sender, server: ServerName, { githost }: Vocabulary): Promise<Check[]> {
  const routes = routesToProbe(server, githost);
  const forms = routes.map((route) => [route, ...(route.older ? [route.older] : [])]);
  const [twoMethodError, ...formErrors] = await Promise.all([
    probe(http, TWO_METHOD_ROUTE[server]),
    ...forms.map((all) => Promise.all(all.map((form) => probe(http, form)))),
  ]);
  // Some frameworks name only the first method of a path: a single method is reliable only if another path has several.
  const listsAllMethods = [twoMethodError, ...formErrors.flat()].some((error) => methodsIn(error).length > 1);
  const supports = routes.map((route, index) => {
    const formSupports =
      forms[index]?.map((form, which) => supportOf(form, formErrors[index]?.[which], listsAllMethods)) ?? [];
    return { ...route, support: SUPPORT_BY_PRECEDENCE.find((level) => formSupports.includes(level)) ?? "unknown" };
  });
  const routesWith = (level: Support) => supports.filter(({ support }) => support === level);
  const [supported, undetermined] = [routesWith("yes"), routesWith("unknown")];
  const count = supported.length === routes.length ? `all ${routes.length}` : `${supported.length} of ${routes.length}`;
  return [
    {
      id: "routes",
      status: "ok",
      message: `profile: supports ${count} optional routes${supported.length > 0 ? `: ${purposesOf(supported)}` : ""}`,
    },
    ...routesWith("no").map(missingRouteNote),
    ...(undetermined.length > 0
      ? [note("unknown-routes", `could not determine whether the server can ${purposesOf(undetermined)}`)]
      : []),
  ];
}

const purposesOf = (routes: readonly OptionalRoute[]) => routes.map(({ purpose }) => purpose).join(", ");
const note = (id: string, message: string): Check => ({ id, status: "note", message });

function missingRouteNote({ method, path, purpose, without }: OptionalRoute): Check {
  const displayPath = path.replaceAll(UNUSED_ID, "<id>").replace(/\?.*/, "");
  return note("missing-route", `has no route to ${purpose} (${method} ${displayPath}): ${without}`);
}

/** A path that has two methods in the interface. */
const TWO_METHOD_ROUTE: Record<ServerName, RouteFacts> = {
  controlPlane: { method: "POST", path: "/v2/deployments" },
  tracing: { method: "POST", path: "/api/v1/bulk-exports" },
};

type Support = "yes" | "no" | "unknown";
/** One supported form of a route is enough; a route is missing only if all its forms are. */
const SUPPORT_BY_PRECEDENCE = ["yes", "unknown", "no"] as const satisfies readonly Support[];

/** Probes a route. Returns the error of the server; undefined if the request succeeded. */
function probe(http: Sender, { method, path }: RouteFacts): Promise<HttpError | undefined> {
  const [pathname = "", search] = path.split("?");
  const query = Object.fromEntries(new URLSearchParams(search));
  return method === "GET" ? sendProbe(http, "GET", pathname, query) : sendProbe(http, "OPTIONS", pathname, {});
}

function supportOf(
  { method }: Pick<OptionalRoute, "method">,
  error: HttpError | undefined,
  listsAllMethods: boolean,
): Support {
  if (method === "GET") return supportFromGet(error);
  if (error?.status === 404) return isUnknownPath(error.detail) ? "no" : "unknown";
  const methods = methodsIn(error);
  if (methods.includes(method)) return "yes";
  return methods.length > 0 && listsAllMethods ? "no" : "unknown";
}

const methodsIn = (error: HttpError | undefined): readonly string[] =>
  (error?.allow ?? "").toUpperCase().match(/\b(GET|POST|PUT|PATCH|DELETE)\b/g) ?? [];

function supportFromGet(error: HttpError | undefined): Support {
  if (error === undefined) return "yes";
  if (error.status === 405 || error.status === 501) return "no";
  if (error.isNotFound) return isUnknownPath(error.detail) ? "no" : "yes";
  // Another route may have parsed the end of the path as an ID and rejected it.
  return error.isRetryable || error.status === 422 ? "unknown" : "yes";
}

/** Whether a route for GET exists. */
export const hasRoute = async (http: Sender, path: string): Promise<boolean> =>
  supportFromGet(await sendProbe(http, "GET", path, {})) === "yes";

async function sendProbe(http: Sender, method: "GET" | "OPTIONS", path: string, query: Record<string, string>) {
  try {
    await http.send({ method, path, query });
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}
