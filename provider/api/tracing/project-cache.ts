/**
 * Look-ups of tracing projects by name that many deployments share in one run: one asks for its own project, many read
 * a few list pages together (interface-notes section 3, sessions).
 */
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { createLoader } from "../batch";
import type { Project, TracingClient } from "./client";

/** So many are asked for by name; more of them read the list. */
const FEW = 2;
/** A workspace with more projects than on so many pages is asked by name for the others. */
const PAGES = 4;
/** How long what was read counts, and how long a service that failed is left alone. */
const AGE_MS = 20_000;

export class ProjectCache {
  private held = new Map<string, Project>();
  private heldAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  /** Whether the service has no list of projects. */
  private hasNone = false;
  private readonly names = createLoader<Project | undefined>((names) => this.read(names));

  constructor(
    private readonly tracing: TracingClient,
    private readonly clock: Clock,
  ) {}

  /**
   * The project of exactly this name; undefined when there is none, or the service has no such list.
   * @throws HttpError when the service fails, to one of those who ask.
   */
  byName(name: string): Promise<Project | undefined> {
    return this.names.load(name);
  }

  private async read(names: readonly string[]): Promise<(Project | undefined | Error)[]> {
    if (this.hasNone || this.isRecent(this.failedAt)) return names.map(() => undefined);
    try {
      await this.find(names);
    } catch (error) {
      if (error instanceof HttpError && error.isUnsupportedRoute) this.hasNone = true;
      else {
        this.failedAt = this.clock.monotonic();
        return names.map((_, index) => (index === 0 ? (error as Error) : undefined));
      }
    }
    return names.map((name) => this.held.get(name));
  }

  /** Looks for what is not held yet: a deployment may be younger than what was read. */
  private async find(names: readonly string[]): Promise<void> {
    if (!this.isRecent(this.heldAt)) this.held.clear();
    const missing = () => names.filter((name) => !this.held.has(name));
    const isEnough = () => missing().length === 0;
    if (missing().length > FEW && (await this.readPages(this.tracing.listProjects(), isEnough))) return;
    for (const name of missing()) await this.readPages(this.tracing.listProjects(name), () => this.held.has(name));
  }

  /** Returns whether this was all of the list. */
  private async readPages(list: AsyncIterable<readonly Project[]>, isEnough: () => boolean): Promise<boolean> {
    let left = PAGES;
    for await (const projects of list) {
      this.hold(projects);
      if (isEnough() || --left === 0) return false;
    }
    return true;
  }

  private hold(projects: readonly Project[]): void {
    if (!this.isRecent(this.heldAt)) this.heldAt = this.clock.monotonic();
    for (const project of projects) if (project.name != null) this.held.set(project.name, project);
  }

  private isRecent(at: number): boolean {
    return this.clock.monotonic() - at <= AGE_MS;
  }
}
