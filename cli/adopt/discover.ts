/** What is on the service, by its look-ups, and which of it was asked for. */

import { RequestError } from "../../provider/http/errors";
import { run } from "../../provider/lookups/index";
import { hasEnded } from "../../provider/resources/shared/bulk-exports/mapping";
import { isLeaving } from "../../provider/resources/shared/not-found";
import { MARK } from "../../provider/resources/thread/fields";
import type { Bag } from "../../provider/schema/schema";
import { readSettings, type Settings } from "../../provider/settings/settings";
import type { Config } from "../shared/stack-config";
import { UsageError } from "../shared/subcommand";
import { ofDeployment, ofDestination, ofExport, ofThread } from "./to-inputs";
import { type Candidate, KINDS, type Kind, type LeftOut } from "./types";

export interface Filter {
  only: readonly Kind[];
  /** Names or ids; all when absent. */
  deployments?: readonly string[] | undefined;
  nameContains?: string | undefined;
  includeEnded: boolean;
  includeOwned: boolean;
  /** Names or ids of deployments whose threads are adopted. */
  threadsOf: readonly string[];
  /** What those threads hold. */
  metadata: Readonly<Record<string, string>>;
}

export interface Listed {
  candidates: Candidate[];
  left: LeftOut[];
}

type Item = Bag & { id: string };
interface Deployment extends Item {
  name: string;
  status: string;
}

export class Finder {
  /** What could not be looked for, and why. */
  readonly notes: string[] = [];
  private readonly settings: Settings;
  private all: Promise<Deployment[]> | undefined;

  constructor(
    private readonly filter: Filter,
    private readonly config: Config,
  ) {
    this.settings = readSettings((key) => config[key]);
  }

  /** Whether nothing but threads can be on the service and was not looked at. */
  get lookedAtAll(): boolean {
    const kinds = KINDS.every((kind) => kind === "threads" || this.wants(kind));
    return kinds && !this.isNarrow && this.notes.length === 0;
  }

  /** Whether only some deployments were asked for; then exports are those of their projects. */
  get isNarrow(): boolean {
    return this.filter.deployments !== undefined || this.filter.nameContains !== undefined;
  }

  async deployments(): Promise<Listed> {
    const needed = this.wants("deployments") || (this.isNarrow && this.wants("destinations", "exports", "schedules"));
    if (!needed || !this.reaches("controlPlane", "Deployments")) return { candidates: [], left: [] };
    const chosen = this.chosen(await this.everyDeployment());
    const { controlPlaneUrl } = this.settings;
    const ownOrigins = controlPlaneUrl ? [controlPlaneUrl.origin] : [];
    return listOf("deployments", chosen, {
      title: ({ name }) => name,
      why: (deployment) => (isLeaving(deployment) ? "it is being deleted" : undefined),
      declared: (deployment) => ofDeployment(deployment, ownOrigins),
    });
  }

  /** Destinations, exports and schedules. @param projects The names of projects by id, as far as they are adopted. */
  async exports(
    projects: ReadonlyMap<string, string>,
  ): Promise<Record<"destinations" | "exports" | "schedules", Listed>> {
    const none = { candidates: [], left: [] };
    if (!this.wants("destinations", "exports", "schedules") || !this.reaches("tracing", "Exports and destinations")) {
      return { destinations: none, exports: none, schedules: none };
    }
    const [places, jobs] = await Promise.all([
      this.list("getBulkExportDestinations", "destinations"),
      this.list("getBulkExports", "exports"),
    ]);
    const within = jobs.filter(({ sessionId }) => !this.isNarrow || projects.has(String(sessionId)));
    const used = new Set(within.map(({ bulkExportDestinationId }) => bulkExportDestinationId));
    const [schedules, once] = [true, false].map((is) => within.filter((job) => (job.intervalHours != null) === is));
    const jobsOf = (kind: "exports" | "schedules", items: readonly Item[] = []) =>
      this.listed(kind, items, {
        title: (job) => titleOf(job, projects),
        why: (job) => (kind === "exports" ? this.whyHistory(job) : whyStopped(job)),
        declared: ofExport,
      });
    return {
      destinations: this.listed(
        "destinations",
        places.filter(({ id }) => !this.isNarrow || used.has(id)),
        { title: ({ displayName, id }) => String(displayName ?? id), why: () => undefined, declared: ofDestination },
      ),
      exports: jobsOf("exports", once),
      schedules: jobsOf("schedules", schedules),
    };
  }

  async threads(): Promise<Listed> {
    const found = await Promise.all(this.filter.threadsOf.map((name) => this.threadsOf(name)));
    return { candidates: found.flatMap(({ candidates }) => candidates), left: found.flatMap(({ left }) => left) };
  }

  private async threadsOf(nameOrId: string): Promise<Listed> {
    const [deployment] = named(await this.everyDeployment(), [nameOrId], "--deployment");
    const deploymentId = String(deployment?.id);
    const threads = await this.look("getThreads", { deploymentId, metadata: this.filter.metadata });
    return listOf(
      "threads",
      threads.map((thread): Item => ({ ...thread, id: String(thread.threadId) })),
      {
        title: ({ id, metadata }) => threadTitle(id, (metadata ?? {}) as Bag),
        why: ({ metadata }) =>
          !this.filter.includeOwned && (metadata as Bag | undefined)?.[MARK] !== undefined
            ? "it carries the ownership marker of a Pulumi resource (--include-owned)"
            : undefined,
        declared: (thread) => ofThread(thread, deploymentId),
      },
    );
  }

  private listed(kind: Kind, items: readonly Item[], facts: Facts<Item>): Listed {
    return this.wants(kind) ? listOf(kind, items, facts) : { candidates: [], left: [] };
  }

  /** An export that has ended is history: it cannot be changed, and one that failed would be run again. */
  private whyHistory({ status, sourceBulkExportId }: Item): string | undefined {
    if (sourceBulkExportId != null) return "a schedule spawned it, and goes on doing so";
    if (!hasEnded(String(status))) return undefined;
    if (status !== "COMPLETED") return `it ended ${status}, and would be run again`;
    return this.filter.includeEnded ? undefined : "it has completed, and is history (--include-ended)";
  }

  private chosen(all: readonly Deployment[]): readonly Deployment[] {
    const { deployments, nameContains = "" } = this.filter;
    const those = deployments === undefined ? all : named(all, deployments, "--deployments");
    return those.filter(({ name }) => name.includes(nameContains));
  }

  private everyDeployment(): Promise<Deployment[]> {
    this.all ??= this.look("getDeployments") as Promise<Deployment[]>;
    return this.all;
  }

  private wants(...kinds: Kind[]): boolean {
    return kinds.some((kind) => this.filter.only.includes(kind));
  }

  /** Kinds whose server no setting names are not looked for, unless they were asked for. */
  private reaches(server: "controlPlane" | "tracing", what: string): boolean {
    const missing = this.settings.missing[server];
    if (missing === undefined || this.filter.only.length < KINDS.length) return true;
    this.notes.push(`${what} were not looked for. ${missing}`);
    return false;
  }

  private async look(name: string, args: object = {}): Promise<Item[]> {
    return (await run(name, args, (key) => this.config[key])) as Item[];
  }

  /** The interface promises no list of these. */
  private async list(lookup: string, what: string): Promise<Item[]> {
    return this.look(lookup).catch((error: unknown) => {
      if (!(error instanceof RequestError) || !error.maybeMissingRoute) throw error;
      this.notes.push(`This service has no list of its ${what}, so none was adopted.`);
      return [];
    });
  }
}

interface Facts<T> {
  title(item: T): string;
  /** Why it is not declared. */
  why(item: T): string | undefined;
  declared(item: T): Bag;
}

function listOf<T extends Item>(kind: Kind, items: readonly T[], { title, why, declared }: Facts<T>): Listed {
  const left = items.flatMap((item): LeftOut[] => {
    const reason = why(item);
    return reason === undefined ? [] : [{ kind, id: item.id, title: title(item), why: reason }];
  });
  const kept = items.filter((item) => why(item) === undefined);
  return {
    left,
    candidates: kept.map((item) => ({ kind, id: item.id, title: title(item), declared: declared(item) })),
  };
}

/** @throws UsageError naming those that are not there. */
function named(all: readonly Deployment[], wanted: readonly string[], option: string): Deployment[] {
  const isIt = ({ id, name }: Deployment, word: string) => id === word || name === word;
  const missing = wanted.filter((word) => !all.some((deployment) => isIt(deployment, word)));
  if (missing.length === 0) return all.filter((deployment) => wanted.some((word) => isIt(deployment, word)));
  const names = all.map(({ name }) => name).sort();
  const there = names.length > 20 ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more` : names.join(", ");
  throw new UsageError(`${option}: there is no deployment ${missing.join(", ")}; there are: ${there || "none"}.`);
}

const whyStopped = ({ status }: Item) =>
  hasEnded(String(status)) ? `it is ${status}, and exports no more` : undefined;

/** Exports have no name of their own. */
function titleOf({ sessionId, intervalHours, startTime }: Item, projects: ReadonlyMap<string, string>): string {
  const project = projects.get(String(sessionId)) ?? `project-${String(sessionId).slice(0, 8)}`;
  const what = sessionId == null ? "experiments" : project;
  return intervalHours == null ? `${what}-${String(startTime).slice(0, 10)}` : `${what}-every-${intervalHours}h`;
}

function threadTitle(id: string, { title, name }: Bag): string {
  const said = [title, name].find((text) => typeof text === "string" && text.length > 0 && text.length <= 40);
  return String(said ?? `thread-${id.slice(0, 8)}`);
}
