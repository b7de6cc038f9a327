/**
 * Look-ups of deployments that many resources share in one run. A hundred resources that ask for themselves in parallel
 * cost a few list pages instead of a hundred requests.
 */
import DataLoader from "dataloader";
import type { Clock } from "../clock";
import { RequestError } from "../http/errors";
import { type ControlPlane, type Deployment, PAGE } from "./control-plane";

/** A workspace larger than this many pages is asked by name or id instead of being read whole. */
const SNAPSHOT_PAGES = 4;
/** How old a shared page may be before it is read anew: within it the parallel parts of one run fit. */
const SNAPSHOT_AGE_MS = 20_000;
/** How long a look-up waits for others to join it. */
const GATHER_MS = 5;
/** The same for looks of waiting resources, whose times are spread. */
const GATHER_LOOKS_MS = 100;

/** One page of the workspace, with the next, which is on its way already: who finds what it seeks here need not wait. */
interface Page {
  deployments: Deployment[];
  next: Promise<Page> | undefined;
  /** Whether the workspace ends here. */
  isLast: boolean;
}

interface Snapshot {
  takenAt: number;
  first: Promise<Page>;
}

export class Directory {
  private snapshot: Snapshot | undefined;
  /** Id -> name of what this process changed since the snapshot began: what the shared pages show of it no longer counts. */
  private readonly changes = new Map<string, string>();
  /** Ids that this process should have deleted and could not: their names never come free. */
  readonly undeletable = new Set<string>();
  private readonly ids: DataLoader<string, Deployment | undefined>;
  private readonly firstLooks: DataLoader<string, Deployment | undefined>;
  private readonly looks: DataLoader<string, Deployment | undefined>;

  constructor(
    private readonly controlPlane: ControlPlane,
    private readonly clock: Clock,
  ) {
    this.ids = gathered(GATHER_MS, (ids) => this.readMany(ids));
    this.firstLooks = gathered(GATHER_MS, (ids) => this.asked(ids));
    this.looks = gathered(GATHER_LOOKS_MS, (ids) => this.listed(ids));
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
    // What a shared page shows may have changed since, by this very run: a match is worth a look of its own.
    return (await this.readOne(match.id)) ?? this.searchName(name);
  }

  /** The deployment of exactly this name, asked now: for settling a create whose answer was lost. */
  async searchName(name: string): Promise<Deployment | undefined> {
    return this.firstOnPages({ name_contains: name }, (deployment) => deployment.name === name);
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
    return (await this.firstOnPages({}, isThere)) !== undefined;
  }

  /** The first on the pages of a list, read now, that is of this sort. */
  private async firstOnPages(
    query: { name_contains?: string },
    isIt: (deployment: Deployment) => boolean,
  ): Promise<Deployment | undefined> {
    let seen: string | undefined;
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = await this.controlPlane.listDeployments({ limit: PAGE, offset, ...query });
      const match = page.deployments.find(isIt);
      if (match) return match;
      // A service that ignores the offset answers the same page for ever.
      const first = page.deployments[0]?.id;
      offset = first !== undefined && first === seen ? undefined : page.next;
      seen = first;
    }
    return undefined;
  }

  private async readMany(ids: readonly string[]): Promise<(Deployment | undefined | Error)[]> {
    const [first = "", ...others] = ids;
    if (others.every((id) => id === first) && !this.isRecent()) {
      const found = await this.readOne(first);
      return ids.map(() => found);
    }
    const unseen = new Set(ids);
    const known = new Map<string, Deployment>();
    await this.firstKnown((deployment) => {
      if (unseen.delete(deployment.id)) known.set(deployment.id, deployment);
      return unseen.size === 0;
    });
    for (const id of this.changes.keys()) known.delete(id);
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
    const page = await this.controlPlane.listDeployments({ limit: PAGE, deployment_ids: ids.join(",") });
    return ids.map((id) => page.deployments.find((deployment) => deployment.id === id));
  }

  private async readOne(id: string): Promise<Deployment | undefined> {
    try {
      return await this.controlPlane.getDeployment(id);
    } catch (error) {
      if (error instanceof RequestError && error.isNotFound) return undefined;
      throw error;
    }
  }

  private isRecent(): boolean {
    return this.snapshot !== undefined && this.clock.now() - this.snapshot.takenAt <= SNAPSHOT_AGE_MS;
  }

  /** The first on the shared pages that is of this sort, and whether they show the whole workspace. */
  private async firstKnown(
    isIt: (deployment: Deployment) => boolean,
  ): Promise<{ match?: Deployment; isWhole: boolean }> {
    for (let page = await this.recent(); ; page = await page.next) {
      const match = page.deployments.find(isIt);
      if (match) return { match, isWhole: false };
      if (!page.next) return { isWhole: page.isLast };
    }
  }

  private recent(): Promise<Page> {
    if (!this.snapshot || !this.isRecent()) {
      this.changes.clear();
      const snapshot: Snapshot = {
        takenAt: this.clock.now(),
        first: this.take(0, SNAPSHOT_PAGES, () => {
          if (this.snapshot === snapshot) this.snapshot = undefined;
        }),
      };
      this.snapshot = snapshot;
    }
    return this.snapshot.first;
  }

  private take(offset: number, pages: number, failed: () => void): Promise<Page> {
    const page = this.controlPlane.listDeployments({ limit: PAGE, offset }).then(
      ({ deployments, next }): Page => ({
        deployments,
        isLast: next === undefined,
        next: next === undefined || pages === 1 ? undefined : this.take(next, pages - 1, failed),
      }),
    );
    page.catch(failed);
    return page;
  }
}

function gathered(
  milliseconds: number,
  read: (ids: readonly string[]) => Promise<(Deployment | undefined | Error)[]>,
): DataLoader<string, Deployment | undefined> {
  const batchScheduleFn = (go: () => void) => setTimeout(go, milliseconds);
  return new DataLoader(read, { cache: false, maxBatchSize: PAGE, batchScheduleFn });
}

function originOf(url: string | null | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).origin : undefined;
}
