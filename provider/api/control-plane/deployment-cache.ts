/** Reads of deployments that the resources of one run share: a few list pages instead of a request for each. */
import type { Clock } from "../../http/clock";
import { type HttpError, ignoreNotFound, recover, recoverFrom } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { AbsenceCheck } from "../absence";
import { createLoader } from "../batch";
import { collectAvailable, findFirst, IncompleteListError, type IsEnough, PAGE_SIZE, type Pages } from "../pagination";
import { type ControlPlaneClient, type Deployment, type DeploymentFilter, hasAll } from "./client";
import { type AgentBinding, nameOfAgent } from "./schemas";
import { findReadable } from "./unreadable";

/** The most pages that are cached. In a larger workspace, the rest is read by name or ID. */
const MAX_SNAPSHOT_PAGES = 4;
/** How long cached pages are used: long enough for the concurrent operations of one run. */
const MAX_SNAPSHOT_AGE_MS = 20_000;
/** The same for names that are free: the create fails if another program took one meanwhile. */
const MAX_NAMES_AGE_MS = 10 * 60_000;
/** How long a poll waits for others to join its request: longer than other reads, since polls are spread over time. */
const POLL_BATCH_WINDOW_MS = 100;

/** Pages of the list that many readers share: each is requested once, in order, when the first reader needs it. */
interface Snapshot {
  takenAt: number;
  list: Pages<Deployment>;
  /** After the last page, whether the server confirmed the end. */
  pages: Promise<IteratorResult<readonly Deployment[], boolean>>[];
}

export class DeploymentCache {
  private snapshot: Snapshot | undefined;
  /** ID -> name of each deployment that this process changed since the snapshot; cached pages are stale for it. */
  private readonly changedNames = new Map<string, string>();
  private readonly absence: AbsenceCheck<Deployment>;

  constructor(
    private readonly controlPlane: ControlPlaneClient,
    private readonly clock: Clock,
  ) {
    this.absence = new AbsenceCheck({
      clock,
      noun: "deployments",
      read: (id) => this.readOne(id),
      list: (ids, withDeleted) => controlPlane.listExistingIds(ids, withDeleted).catch(throwUndetermined(ids)),
    });
  }

  /** Reads the current deployment, in one list request for concurrent polls; undefined when the list lacks it. */
  readonly poll = createLoader<Deployment | undefined>(
    async (ids) => {
      const deployments = await this.controlPlane.listDeploymentsById(ids);
      return ids.map((id) => deployments.find((deployment) => deployment.id === id));
    },
    { wait: () => this.clock.sleep(POLL_BATCH_WINDOW_MS), maxBatchSize: PAGE_SIZE },
  );

  /** Returns a deployment, cached or read, where a stray 404 does no harm: undefined when the server returns 404. */
  readonly peekById = createLoader<Deployment | undefined>((ids) => this.readMany(ids), { maxBatchSize: PAGE_SIZE });

  /** The same for all other callers: undefined when it is gone. */
  async findById(id: string): Promise<Deployment | undefined> {
    return (await this.peekById(id)) ?? this.absence.find(id);
  }

  /** Returns a deployment, read without the cache; undefined when it is gone. */
  async findCurrent(id: string): Promise<Deployment | undefined> {
    return (await this.readOne(id)) ?? this.absence.find(id);
  }

  /** The same for one whose deletion the server has accepted. */
  findDeleted(id: string): Promise<Deployment | undefined> {
    return this.absence.findDeleted(id);
  }

  async findByName(name: string): Promise<Deployment | undefined> {
    if ([...this.changedNames.values()].includes(name)) return this.searchByName(name);
    const { match, isComplete } = await this.findCached((deployment) => deployment.name === name, MAX_NAMES_AGE_MS);
    if (!match) return isComplete ? undefined : this.searchByName(name);
    // A cached deployment may have changed since, even in this run, so a match is read again.
    return (await this.readOne(match.id)) ?? this.searchByName(name);
  }

  /** Filters the cached pages, without a request. */
  async filterCached(matches: (deployment: Deployment) => boolean): Promise<Deployment[]> {
    if (!this.snapshot) return [];
    const pages = await Promise.all(this.snapshot.pages.map((page) => page.catch(() => undefined)));
    return pages.flatMap((page) => (page && !page.done ? page.value.filter(matches) : []));
  }

  /** Searches for the deployment with this name, bypassing the cache: settles a create whose response was lost. */
  async searchByName(name: string): Promise<Deployment | undefined> {
    const candidates = this.controlPlane.listDeployments({ name_contains: name });
    return findReadable(
      (test) => findFirst(candidates, test),
      (deployment) => deployment.name === name,
    );
  }

  /**
   * Searches for the deployment of an agent in one of its environments. A server without the filter returns others, or
   * rejects it.
   * @param matches Whether another one counts as well: a server may not show the agent.
   */
  async searchByAgent(
    { agentId, environment }: AgentBinding,
    matches: (deployment: Deployment) => boolean,
  ): Promise<Deployment | undefined> {
    const isBound = ({ agent }: Deployment) => agent?.agentId === agentId && agent.environment === environment;
    const mayBe = ({ name }: Deployment) => name === "" || name === nameOfAgent({ agentId, environment });
    const search = (filter: DeploymentFilter) =>
      findReadable(
        (test) => findFirst(this.controlPlane.listDeployments(filter), test),
        (one) => isBound(one) || matches(one),
        mayBe,
      );
    const filtered = search({ agent_id: agentId, agent_environment: environment });
    const isWithoutFilter = ({ status }: HttpError) => status === 422;
    return filtered.catch(recover(isWithoutFilter, () => search({})));
  }

  /** Records a change by this process. The cached pages stay valid for all other deployments. */
  recordChange({ id, name }: Pick<Deployment, "id" | "name">): void {
    this.changedNames.set(id, name);
  }

  /** Returns a deployment of the workspace that matches; undefined when none does. */
  async findFirst(matches: (deployment: Deployment) => boolean): Promise<Deployment | undefined> {
    const search = async (test: typeof matches) => {
      const { match, isComplete } = await this.findCached(test);
      if (match || (isComplete && this.changedNames.size === 0)) return match;
      return findFirst(this.controlPlane.listDeployments(), test);
    };
    return findReadable(search, matches, () => true);
  }

  private async readMany(ids: readonly string[]): Promise<(Deployment | undefined | Error)[]> {
    const usesCache = ids.length > 1 || this.isRecent();
    const cached = usesCache ? await this.cachedById(ids) : new Map<string, Deployment>();
    // A deployment that no list contains is read by itself: only a 404 on the object means that it was deleted.
    const read = (id: string) =>
      this.controlPlane
        .readDeployment(id)
        .catch(ignoreNotFound)
        .catch((error: Error) => error);
    return Promise.all(ids.map((id) => cached.get(id) ?? read(id)));
  }

  /** Returns the deployments that the cached pages contain and this process did not change. */
  private async cachedById(ids: readonly string[]): Promise<ReadonlyMap<string, Deployment>> {
    const isEnough: IsEnough<Deployment> = (all, page) => page.length < PAGE_SIZE || hasAll(all, ids);
    const { items } = await collectAvailable(this.cachedPages(), isEnough);
    const unchanged = items.filter(({ id, unreadable }) => !this.changedNames.has(id) && !unreadable);
    return new Map(unchanged.map((deployment) => [deployment.id, deployment]));
  }

  private readOne(id: string): Promise<Deployment | undefined> {
    return this.controlPlane.getDeployment(id).catch(ignoreNotFound);
  }

  private isRecent(maxAgeMs = MAX_SNAPSHOT_AGE_MS): boolean {
    return this.snapshot !== undefined && this.clock.monotonic() - this.snapshot.takenAt <= maxAgeMs;
  }

  /** Returns the first cached deployment that matches, and whether the cached pages cover the whole workspace. */
  private async findCached(
    matches: (deployment: Deployment) => boolean,
    maxAgeMs?: number,
  ): Promise<{ match?: Deployment; isComplete: boolean }> {
    const pages = this.cachedPages(maxAgeMs);
    const search = async () => {
      for (let page = await pages.next(); ; page = await pages.next()) {
        if (page.done) return { isComplete: page.value };
        const match = page.value.find(matches);
        if (match) return { match, isComplete: false };
      }
    };
    return search().catch(recoverFrom(IncompleteListError, () => ({ isComplete: false })));
  }

  /** Yields the cached pages; returns whether they cover the whole workspace. */
  private async *cachedPages(maxAgeMs?: number): Pages<Deployment> {
    const snapshot = this.currentSnapshot(maxAgeMs);
    let isFull = true;
    // A page that is not full is probably the last, but only an empty page proves it.
    for (let index = 0; index < MAX_SNAPSHOT_PAGES || (index === MAX_SNAPSHOT_PAGES && !isFull); index++) {
      const page = await this.page(snapshot, index);
      if (page.done) return page.value;
      isFull = page.value.length === PAGE_SIZE;
      yield page.value;
    }
    return false;
  }

  private currentSnapshot(maxAgeMs?: number): Snapshot {
    if (this.snapshot && this.isRecent(maxAgeMs)) return this.snapshot;
    this.changedNames.clear();
    this.snapshot = { takenAt: this.clock.monotonic(), list: this.controlPlane.listDeployments(), pages: [] };
    return this.snapshot;
  }

  private page(snapshot: Snapshot, index: number): Snapshot["pages"][number] {
    const known = snapshot.pages[index];
    if (known) return known;
    const page = snapshot.list.next();
    snapshot.pages[index] = page;
    page.then(
      ({ done, value }) => {
        // The next one is prefetched; a reader that finds its item in this one does not wait for it.
        const isFull = !done && value.length === PAGE_SIZE;
        if (isFull && index + 1 < MAX_SNAPSHOT_PAGES) void this.page(snapshot, index + 1);
      },
      () => {
        // The list ends at a page that could not be read.
        if (this.snapshot === snapshot) this.snapshot = undefined;
      },
    );
    return page;
  }
}

/** A list that is not complete proves no absence. Where a server's lists never are, the state has to be edited. */
const throwUndetermined = (ids: readonly string[]) =>
  recoverFrom(IncompleteListError, ({ message }): never => {
    throw new UserError(
      `Could not determine whether ${ids.join(", ")} still exists: GET returned 404, and the list of ` +
        `deployments is incomplete. State is unchanged.\n${message}\n` +
        "Run the command again. If the deployment was deleted, remove the resource from state with `pulumi " +
        "state delete`.",
    );
  });
