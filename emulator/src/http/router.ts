import { ApiError } from "../runtime/errors";
import type { Endpoint } from "./route";

/** Finds the route of a request. */
export class Router<R extends Endpoint> {
  private readonly entries: { route: R; pattern: RegExp; names: string[] }[];

  /** `reserved` are values that a path parameter cannot have. */
  constructor(
    readonly routes: readonly R[],
    wirePath: (path: string) => string,
    reserved: readonly string[] = [],
  ) {
    const parameter = reserved.length > 0 ? `((?!(?:${reserved.join("|")})(?:/|$))[^/]+)` : "([^/]+)";
    this.entries = routes.map((route) => {
      const path = wirePath(route.path);
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
      // A path that ends with a slash is an address, which clients also send without it.
      const pattern = path.replace(/\{\w+\}/g, parameter).replace(/\/$/, "/?");
      return { route, names, pattern: new RegExp(`^${pattern}$`) };
    });
  }

  /** Returns the route and its parameters. @throws ApiError 404 for an unknown path, 405 for an unsupported method. */
  resolve(method: string, path: string): { route: R; params: Record<string, string> } {
    const match = this.find(method, path);
    if ("route" in match) return match;
    if (match.others.length === 0) throw new ApiError(404, "Not Found");
    throw new ApiError(405, "Method Not Allowed", { allow: match.others.map((route) => route.method).join(", ") });
  }

  /** Returns the route of a request or, without one, those of its path with another method. */
  find(method: string, path: string): { route: R; params: Record<string, string> } | { others: R[] } {
    const others: R[] = [];
    for (const { route, pattern, names } of this.entries) {
      const match = pattern.exec(path);
      if (!match) continue;
      if (route.method !== method && !(method === "HEAD" && route.method === "GET" && route.answersHead)) {
        others.push(route);
        continue;
      }
      const params = names.map((name, index) => [name, decode(match[index + 1] ?? "")]);
      return { route, params: Object.fromEntries(params) };
    }
    return { others };
  }
}

/** Returns a path without the slash at its end, where only that leads to a route. */
export function withoutSlash<R extends Endpoint>(router: Router<R>, method: string, path: string) {
  const isKnown = (match: ReturnType<Router<R>["find"]>) => "route" in match || match.others.length > 0;
  if (!/[^/]\/$/.test(path) || isKnown(router.find(method, path))) return undefined;
  const shorter = path.slice(0, -1);
  const match = router.find(method, shorter);
  const route = "route" in match ? match.route : match.others[0];
  return route && { path: shorter, route };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
