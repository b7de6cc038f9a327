/**
 * Look-ups of deployments that many resources share in one run. A hundred resources that ask for themselves in parallel
 * cost a few list pages instead of a hundred requests.
 */
import type DataLoader from "dataloader";
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { createLoader } from "../batch";
import { collectAvailable, findFirst, IncompleteListError, type IsEnough, PAGE_SIZE, type Pages } from "../pagination";
import { SharedPages } from "../shared-pages";
import { type ControlPlaneClient, type Deployment, hasAll } from "./client";

/** A workspace larger than this many pages is asked by name or id instead of being read whole. */
const MAX_SNAPSHOT_PAGES = 4;
/** How old a shared page may be before it is read anew: within it the parallel parts of one run fit. */
const MAX_SNAPSHOT_AGE_MS = 20_000;
/** The same for looks of waiting resources, whose times are spread. */
const POLL_BATCH_WINDOW_MS = 100;

interface Snapshot {
  takenAt: number;
  pages: SharedPages<Deployment>;
}

export class DeploymentCache {
  private snapshot: Snapshot | undefined;
  /** Id -> name of what this process changed since the snapshot began: what the shared pages show of it no longer counts. */
  private readonly changedNames = new Map<string, string>();
  /** Ids that this process should have deleted and could not: their names never come free. */
  readonly undeletableIds = new Set<string>();
  private readonly idLoader: DataLoader<string, Deployment | undefined>;
  private readonly firstPollLoader: DataLoader<string, Deployment | undefined>;
  private readonly pollLoader: DataLoader<string, Deployment | undefined>;

  constructor(
    private readonly controlPlane: ControlPlaneClient,
    private readonly clock: Clock,
  ) {
    this.idLoader = createLoader((idLoader) => this.readMany(idLoader), { maxBatchSize: PAGE_SIZE });
    this.firstPollLoader = createLoader((idLoader) => this.pollMany(idLoader), { maxBatchSize: PAGE_SIZE });
    this.pollLoader = createLoader((idLoader) => this.listByIds(idLoader), {
      windowMs: POLL_BATCH_WINDOW_MS,
      maxBatchSize: PAGE_SIZE,
    });
  }

  /** A deployment as it is now, in one list for all who look at about the same time; undefined when the list lacks it. */
  poll(id: string): Promise<Deployment | undefined> {
    return this.pollLoader.load(id);
  }

  /** The same for the first look of a wait, which nothing holds up: it may find that there is nothing to wait for. */
  pollFirst(id: string): Promise<Deployment | undefined> {
    return this.firstPollLoader.load(id);
  }

  /** A deployment by id as a list or a look shows it; undefined when the server does not know it. */
  findById(id: string): Promise<Deployment | undefined> {
    return this.idLoader.load(id);
  }

  /** The deployment of exactly this name. */
  async findByName(name: string): Promise<Deployment | undefined> {
    if ([...this.changedNames.values()].includes(name)) return this.searchByName(name);
    const { match, isComplete } = await this.findCached((deployment) => deployment.name === name);
    if (!match) return isComplete ? undefined : this.searchByName(name);
    // What a shared page shows may have changed since, even by this run: a match is requested again by itself.
    return (await this.readOne(match.id)) ?? this.searchByName(name);
  }

  /** Those of this sort on the shared pages that were read already; no request is sent for them. */
  async filterCached(matches: (deployment: Deployment) => boolean): Promise<Deployment[]> {
    if (!this.snapshot || !this.isRecent()) return [];
    const pages = await Promise.all(this.snapshot.pages.requested().map((page) => page.catch(() => undefined)));
    return pages.flatMap((page) => (page && !page.done ? page.value.filter(matches) : []));
  }

  /** The deployment of exactly this name, asked now: for settling a create whose answer was lost. */
  async searchByName(name: string): Promise<Deployment | undefined> {
    const candidates = this.controlPlane.listDeployments({ name_contains: name });
    return findFirst(candidates, (deployment) => deployment.name === name);
  }

  /**
   * To be told of every change that this process makes itself. The shared pages stay, for the many others in them: a
   * hundred creates in a row would else read the workspace again and again.
   */
  recordChange({ id, name }: Pick<Deployment, "id" | "name">): void {
    this.changedNames.set(id, name);
  }

  /** Whether a deployment of the workspace is at this origin. */
  async hasOrigin(origin: string): Promise<boolean> {
    const isAtOrigin = ({ sourceConfig }: Deployment) => originOf(sourceConfig?.customUrl) === origin;
    const { match, isComplete } = await this.findCached(isAtOrigin);
    if (match) return true;
    if (isComplete && this.changedNames.size === 0) return false;
    return (await findFirst(this.controlPlane.listDeployments(), isAtOrigin)) !== undefined;
  }

  private async readMany(idLoader: readonly string[]): Promise<(Deployment | undefined | Error)[]> {
    const [first = "", ...others] = idLoader;
    if (others.every((id) => id === first) && !this.isRecent()) {
      const found = await this.readOne(first);
      return idLoader.map(() => found);
    }
    const isEnough: IsEnough<Deployment> = (all, page) => page.length < PAGE_SIZE || hasAll(all, idLoader);
    const { items: currentSnapshot } = await collectAvailable(this.cachedPages(), isEnough);
    const deployments = new Map(
      currentSnapshot.filter(({ id }) => !this.changedNames.has(id)).map((one) => [one.id, one]),
    );
    const missing = idLoader.filter((id) => !deployments.has(id));
    if (missing.length > 1) {
      for (const deployment of await this.listByIds(missing))
        if (deployment) deployments.set(deployment.id, deployment);
    }
    // What no list shows is asked by itself: only a 404 on the object means gone.
    return Promise.all(idLoader.map((id) => deployments.get(id) ?? this.readOne(id).catch((error: Error) => error)));
  }

  private async pollMany(idLoader: readonly string[]): Promise<(Deployment | undefined)[]> {
    const [only, ...others] = idLoader;
    return only !== undefined && others.length === 0 ? [await this.readOne(only)] : this.listByIds(idLoader);
  }

  private async listByIds(idLoader: readonly string[]): Promise<(Deployment | undefined)[]> {
    const found = await this.controlPlane.listDeploymentsById(idLoader);
    return idLoader.map((id) => found.find((deployment) => deployment.id === id));
  }

  private async readOne(id: string): Promise<Deployment | undefined> {
    try {
      return await this.controlPlane.getDeployment(id);
    } catch (error) {
      if (error instanceof HttpError && error.isNotFound) return undefined;
      throw error;
    }
  }

  private isRecent(): boolean {
    return this.snapshot !== undefined && this.clock.monotonic() - this.snapshot.takenAt <= MAX_SNAPSHOT_AGE_MS;
  }

  /** The first on the shared pages that is of this sort, and whether they show the whole workspace. */
  private async findCached(
    matches: (deployment: Deployment) => boolean,
  ): Promise<{ match?: Deployment; isComplete: boolean }> {
    const pages = this.cachedPages();
    try {
      for (let page = await pages.next(); ; page = await pages.next()) {
        if (page.done) return { isComplete: page.value };
        const match = page.value.find(matches);
        if (match) return { match, isComplete: false };
      }
    } catch (error) {
      if (error instanceof IncompleteListError) return { isComplete: false };
      throw error;
    }
  }

  /** The shared pages; returns whether they show the whole workspace. */
  private async *cachedPages(): Pages<Deployment> {
    const { pages } = this.currentSnapshot();
    let isFull = true;
    // Behind a page that is not full the end is near, and only an empty page proves it.
    for (let index = 0; index < MAX_SNAPSHOT_PAGES || (index === MAX_SNAPSHOT_PAGES && !isFull); index++) {
      const page = await pages.get(index);
      if (page.done) return page.value;
      isFull = page.value.length === PAGE_SIZE;
      yield page.value;
    }
    return false;
  }

  private currentSnapshot(): Snapshot {
    if (this.snapshot && this.isRecent()) return this.snapshot;
    this.changedNames.clear();
    const list = this.controlPlane.listDeployments();
    const onFailure = () => {
      if (this.snapshot === snapshot) this.snapshot = undefined;
    };
    const pages = new SharedPages({ list, ahead: MAX_SNAPSHOT_PAGES, onFailure });
    const snapshot: Snapshot = { takenAt: this.clock.monotonic(), pages };
    this.snapshot = snapshot;
    return snapshot;
  }
}

function originOf(url: string | null | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).origin : undefined;
}
