/**
 * Look-ups of deployments that many resources share in one run. A hundred resources that ask for themselves in parallel
 * cost a few list pages instead of a hundred requests.
 */
import type DataLoader from "dataloader";
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { createLoader } from "../batch";
import { collectShown, findFirst, IncompleteListError, type IsEnough, PAGE_SIZE, type Pages } from "../pagination";
import { SharedPages } from "../shared-pages";
import { type ControlPlaneClient, type Deployment, hasAll } from "./client";

/** A workspace larger than this many pages is asked by name or id instead of being read whole. */
const SNAPSHOT_PAGES = 4;
/** How old a shared page may be before it is read anew: within it the parallel parts of one run fit. */
const SNAPSHOT_AGE_MS = 20_000;
/** The same for looks of waiting resources, whose times are spread. */
const GATHER_LOOKS_MS = 100;

interface Snapshot {
  takenAt: number;
  pages: SharedPages<Deployment>;
}

export class DeploymentCache {
  private snapshot: Snapshot | undefined;
  /** Id -> name of what this process changed since the snapshot began: what the shared pages show of it no longer counts. */
  private readonly changes = new Map<string, string>();
  /** Ids that this process should have deleted and could not: their names never come free. */
  readonly undeletable = new Set<string>();
  private readonly ids: DataLoader<string, Deployment | undefined>;
  private readonly firstLooks: DataLoader<string, Deployment | undefined>;
  private readonly looks: DataLoader<string, Deployment | undefined>;

  constructor(
    private readonly controlPlane: ControlPlaneClient,
    private readonly clock: Clock,
  ) {
    this.ids = createLoader((ids) => this.readMany(ids), { maxBatchSize: PAGE_SIZE });
    this.firstLooks = createLoader((ids) => this.asked(ids), { maxBatchSize: PAGE_SIZE });
    this.looks = createLoader((ids) => this.listed(ids), { windowMs: GATHER_LOOKS_MS, maxBatchSize: PAGE_SIZE });
  }

  /** A deployment as it is now, in one list for all who look at about the same time; undefined when the list lacks it. */
  look(id: string): Promise<Deployment | undefined> {
    return this.looks.load(id);
  }

  /** The same for the first look of a wait, which nothing holds up: it may find that there is nothing to wait for. */
  firstLook(id: string): Promise<Deployment | undefined> {
    return this.firstLooks.load(id);
  }

  /** A deployment by id as a list or a look shows it; undefined when the server does not know it. */
  byId(id: string): Promise<Deployment | undefined> {
    return this.ids.load(id);
  }

  /** The deployment of exactly this name. */
  async byName(name: string): Promise<Deployment | undefined> {
    if ([...this.changes.values()].includes(name)) return this.searchName(name);
    const { match, isWhole } = await this.firstKnown((deployment) => deployment.name === name);
    if (!match) return isWhole ? undefined : this.searchName(name);
    // What a shared page shows may have changed since, even by this run: a match is requested again by itself.
    return (await this.readOne(match.id)) ?? this.searchName(name);
  }

  /** Those of this sort on the shared pages that were read already; no request is sent for them. */
  async recentlyListed(isIt: (deployment: Deployment) => boolean): Promise<Deployment[]> {
    if (!this.snapshot || !this.isRecent()) return [];
    const pages = await Promise.all(this.snapshot.pages.requested().map((page) => page.catch(() => undefined)));
    return pages.flatMap((page) => (page && !page.done ? page.value.filter(isIt) : []));
  }

  /** The deployment of exactly this name, asked now: for settling a create whose answer was lost. */
  async searchName(name: string): Promise<Deployment | undefined> {
    const candidates = this.controlPlane.listDeployments({ name_contains: name });
    return findFirst(candidates, (deployment) => deployment.name === name);
  }

  /**
   * To be told of every change that this process makes itself. The shared pages stay, for the many others in them: a
   * hundred creates in a row would else read the workspace again and again.
   */
  changed({ id, name }: Pick<Deployment, "id" | "name">): void {
    this.changes.set(id, name);
  }

  /** Whether a deployment of the workspace is at this origin. */
  async servesAt(origin: string): Promise<boolean> {
    const isThere = ({ sourceConfig }: Deployment) => originOf(sourceConfig?.customUrl) === origin;
    const { match, isWhole } = await this.firstKnown(isThere);
    if (match) return true;
    if (isWhole && this.changes.size === 0) return false;
    return (await findFirst(this.controlPlane.listDeployments(), isThere)) !== undefined;
  }

  private async readMany(ids: readonly string[]): Promise<(Deployment | undefined | Error)[]> {
    const [first = "", ...others] = ids;
    if (others.every((id) => id === first) && !this.isRecent()) {
      const found = await this.readOne(first);
      return ids.map(() => found);
    }
    const isEnough: IsEnough<Deployment> = (all, page) => page.length < PAGE_SIZE || hasAll(all, ids);
    const { items: recent } = await collectShown(this.recentPages(), isEnough);
    const known = new Map(recent.filter(({ id }) => !this.changes.has(id)).map((one) => [one.id, one]));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 1) {
      for (const deployment of await this.listed(missing)) if (deployment) known.set(deployment.id, deployment);
    }
    // What no list shows is asked by itself: only a 404 on the object means gone.
    return Promise.all(ids.map((id) => known.get(id) ?? this.readOne(id).catch((error: Error) => error)));
  }

  private async asked(ids: readonly string[]): Promise<(Deployment | undefined)[]> {
    const [only, ...others] = ids;
    return only !== undefined && others.length === 0 ? [await this.readOne(only)] : this.listed(ids);
  }

  private async listed(ids: readonly string[]): Promise<(Deployment | undefined)[]> {
    const found = await this.controlPlane.listDeploymentsById(ids);
    return ids.map((id) => found.find((deployment) => deployment.id === id));
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
    return this.snapshot !== undefined && this.clock.monotonic() - this.snapshot.takenAt <= SNAPSHOT_AGE_MS;
  }

  /** The first on the shared pages that is of this sort, and whether they show the whole workspace. */
  private async firstKnown(
    isIt: (deployment: Deployment) => boolean,
  ): Promise<{ match?: Deployment; isWhole: boolean }> {
    const pages = this.recentPages();
    try {
      for (let page = await pages.next(); ; page = await pages.next()) {
        if (page.done) return { isWhole: page.value };
        const match = page.value.find(isIt);
        if (match) return { match, isWhole: false };
      }
    } catch (error) {
      if (error instanceof IncompleteListError) return { isWhole: false };
      throw error;
    }
  }

  /** The shared pages; returns whether they show the whole workspace. */
  private async *recentPages(): Pages<Deployment> {
    const { pages } = this.recent();
    let isFull = true;
    // Behind a page that is not full the end is near, and only an empty page proves it.
    for (let index = 0; index < SNAPSHOT_PAGES || (index === SNAPSHOT_PAGES && !isFull); index++) {
      const page = await pages.get(index);
      if (page.done) return page.value;
      isFull = page.value.length === PAGE_SIZE;
      yield page.value;
    }
    return false;
  }

  private recent(): Snapshot {
    if (this.snapshot && this.isRecent()) return this.snapshot;
    this.changes.clear();
    const list = this.controlPlane.listDeployments();
    const onFailure = () => {
      if (this.snapshot === snapshot) this.snapshot = undefined;
    };
    const pages = new SharedPages({ list, ahead: SNAPSHOT_PAGES, onFailure });
    const snapshot: Snapshot = { takenAt: this.clock.monotonic(), pages };
    this.snapshot = snapshot;
    return snapshot;
  }
}

function originOf(url: string | null | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).origin : undefined;
}
