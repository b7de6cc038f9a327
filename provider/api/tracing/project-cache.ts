/** Reads of projects by name that the deployments of one run share (API `4C.GET /api/v1/sessions`). */
import type { Clock } from "../../http/clock";
import { HttpError, recover } from "../../http/errors";
import { createLoader } from "../batch";
import type { Project, TracingClient } from "./client";

/** The most projects that are searched by name; for more, the list is read. */
const MAX_SINGLE_SEARCHES = 2;
/** The most pages of the list that are read; further projects are searched by name. */
const MAX_PAGES = 4;
/** How long projects are cached, and how long a server that failed is not asked again. */
const MAX_AGE_MS = 20_000;

/** The pause before a route that was not found is requested again. */
const RETRY_AFTER_MS = 2000;

export class ProjectCache {
  private projects = new Map<string, Project>();
  private readAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  /**
   * Returns the project with exactly this name; undefined when it does not exist, or the server does not list projects.
   * @throws HttpError when the server fails, to only one of the concurrent callers.
   */
  readonly findByName = createLoader<Project | undefined>((names) => this.readMany(names));

  constructor(
    private readonly tracing: TracingClient,
    private readonly clock: Clock,
  ) {}

  private async readMany(names: readonly string[]): Promise<(Project | undefined | Error)[]> {
    if (this.isRecent(this.failedAt)) return names.map(() => undefined);
    // One 404 proves nothing: a proxy returns it while the server restarts.
    const loadAgain = () => this.clock.sleep(RETRY_AFTER_MS).then(() => this.load(names));
    try {
      await this.load(names).catch(recover(({ isUnsupportedRoute }) => isUnsupportedRoute, loadAgain));
    } catch (error) {
      this.failedAt = this.clock.monotonic();
      // A server may lack this list. One 404 proves nothing, since a proxy returns it, too: it is requested later.
      const isError = !(error instanceof HttpError) || !error.isUnsupportedRoute;
      if (isError) return names.map((_, index) => (index === 0 ? (error as Error) : undefined));
    }
    return names.map((name) => this.projects.get(name));
  }

  /** Loads the projects that are not cached: a deployment may be newer than the cache. */
  private async load(names: readonly string[]): Promise<void> {
    if (!this.isRecent(this.readAt)) this.projects.clear();
    const missing = () => names.filter((name) => !this.projects.has(name));
    const isEnough = () => missing().length === 0;
    if (missing().length > MAX_SINGLE_SEARCHES && (await this.readPages(this.tracing.listProjects(), isEnough))) return;
    for (const name of missing()) await this.readPages(this.tracing.listProjects(name), () => this.projects.has(name));
  }

  /** Stores pages of the list; returns whether the list was read to its end. */
  private async readPages(list: AsyncIterable<readonly Project[]>, isEnough: () => boolean): Promise<boolean> {
    let pagesLeft = MAX_PAGES;
    for await (const projects of list) {
      this.store(projects);
      if (isEnough() || --pagesLeft === 0) return false;
    }
    return true;
  }

  private store(projects: readonly Project[]): void {
    if (!this.isRecent(this.readAt)) this.readAt = this.clock.monotonic();
    for (const project of projects) if (project.name != null) this.projects.set(project.name, project);
  }

  private isRecent(at: number): boolean {
    return this.clock.monotonic() - at <= MAX_AGE_MS;
  }
}
