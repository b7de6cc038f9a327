/**
 * Look-ups of tracing projects by name that many deployments share in one run: one asks for its own project, many read
 * a few list pages together (interface-notes section 3, sessions).
 */
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { createLoader } from "../batch";
import type { Project, TracingClient } from "./client";

/** So many are asked for by name; more of them read the list. */
const MAX_SINGLE_SEARCHES = 2;
/** A workspace with more projects than on so many pages is asked by name for the others. */
const MAX_PAGES = 4;
/** How long what was read counts, and how long a service that failed is left alone. */
const MAX_AGE_MS = 20_000;

export class ProjectCache {
  private projects = new Map<string, Project>();
  private readAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  /** Whether the service has no list of projects. */
  private isUnsupported = false;
  private readonly nameLoader = createLoader<Project | undefined>((nameLoader) => this.readMany(nameLoader));

  constructor(
    private readonly tracing: TracingClient,
    private readonly clock: Clock,
  ) {}

  /**
   * The project of exactly this name; undefined when there is none, or the service has no such list.
   * @throws HttpError when the service fails, to one of those who ask.
   */
  findByName(name: string): Promise<Project | undefined> {
    return this.nameLoader.load(name);
  }

  private async readMany(nameLoader: readonly string[]): Promise<(Project | undefined | Error)[]> {
    if (this.isUnsupported || this.isRecent(this.failedAt)) return nameLoader.map(() => undefined);
    try {
      await this.load(nameLoader);
    } catch (error) {
      if (error instanceof HttpError && error.isUnsupportedRoute) this.isUnsupported = true;
      else {
        this.failedAt = this.clock.monotonic();
        return nameLoader.map((_, index) => (index === 0 ? (error as Error) : undefined));
      }
    }
    return nameLoader.map((name) => this.projects.get(name));
  }

  /** Looks for what is not held yet: a deployment may be younger than what was read. */
  private async load(nameLoader: readonly string[]): Promise<void> {
    if (!this.isRecent(this.readAt)) this.projects.clear();
    const missing = () => nameLoader.filter((name) => !this.projects.has(name));
    const isEnough = () => missing().length === 0;
    if (missing().length > MAX_SINGLE_SEARCHES && (await this.readPages(this.tracing.listProjects(), isEnough))) return;
    for (const name of missing()) await this.readPages(this.tracing.listProjects(name), () => this.projects.has(name));
  }

  /** Returns whether this was all of the list. */
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
