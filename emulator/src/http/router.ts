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
      return { route, names, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, parameter)}$`) };
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
