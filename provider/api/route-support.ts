/** Which optional routes a server has, as the requests of this process showed. */
export class RouteSupport {
  private readonly routes = new Map<string, boolean>();

  /** Returns whether the server has a route; undefined while unknown. */
  has(route: string): boolean | undefined {
    return this.routes.get(route);
  }

  record(route: string, isSupported: boolean): void {
    this.routes.set(route, isSupported);
  }

  /** Whether the server was found to lack a route, so that its 404 for a route is its own and not that of a restart. */
  get lacksAny(): boolean {
    return [...this.routes.values()].includes(false);
  }
}
