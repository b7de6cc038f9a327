/**
 * Decides whether an object that a server does not find is gone. A single 404 proves nothing: a proxy returns it while
 * a backend restarts, and a faulty replica every second time. An object is gone when the server still does not find it
 * after a pause, and when the list that shows it does not contain it either.
 */
import type { Clock } from "../http/clock";
import { UserError } from "../text/user-error";
import { createLoader } from "./batch";
import { PAGE_SIZE } from "./pagination";

export interface AbsenceOptions<T> {
  clock: Pick<Clock, "sleep" | "monotonic">;
  /** What the list contains, in the plural: `deployments`. */
  noun: string;
  /** Requests an object by its ID; undefined when the server does not find it. */
  read: (id: string) => Promise<T | undefined>;
  /**
   * Returns the IDs that the list contains, at least those of the given ones; undefined when its route is not found.
   * @param withDeleted Whether to include those that are being deleted. Default: no.
   */
  list: (ids: readonly string[], withDeleted?: boolean) => Promise<ReadonlySet<string> | PartialList | undefined>;
  /** Whether the server is known to have the list. Default: yes. */
  hasList?: () => boolean;
}

/** A list that ended early: what it contains exists, but what it lacks may exist as well. */
export class PartialList {
  constructor(readonly ids: ReadonlySet<string>) {}
}

/** The pause before an object is requested again. */
const PAUSE_MS = 2000;
/** Further pauses where the server has no complete list, so that only repeated requests are evidence. */
const PAUSES_WITHOUT_LIST_MS = [4000, 10_000];
/** How long other absences need no pause after a confirmed one: a deleted workspace misses many. */
const MAX_CONFIRMATION_AGE_MS = 60_000;

/** The server contradicts itself, so nothing is known about an object. */
export class ContradictionError extends UserError {
  override name = "ContradictionError";
}

export class AbsenceCheck<T> {
  /** Returns what the server did not find; undefined when gone. @throws ContradictionError when the list has it. */
  readonly find = createLoader<T | undefined>((ids) => this.confirmMany(ids), { maxBatchSize: PAGE_SIZE });
  /** The same without a pause: an accepted deletion is evidence. @throws ContradictionError if only one has it. */
  readonly findDeleted = createLoader<T | undefined>((ids) => this.confirmDeleted(ids), { maxBatchSize: PAGE_SIZE });
  private confirmedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: AbsenceOptions<T>) {}

  private async confirmDeleted(ids: readonly string[]): Promise<(T | undefined | Error)[]> {
    const listing = this.options.list(ids, true).catch((error: Error) => error);
    const results: Results<T> = new Map();
    const missing = await this.readMissing(new Set(ids), results);
    const listed = missing.length > 0 ? await listing : undefined;
    const isProof = listed !== undefined && !(listed instanceof Error) && !(listed instanceof PartialList);
    for (const id of missing) {
      if (listed instanceof Error) results.set(id, listed);
      else if (!isProof || listed.has(id))
        results.set(id, contradiction(id, `the list of ${this.options.noun} may contain it`));
    }
    return ids.map((id) => results.get(id));
  }

  private async confirmMany(ids: readonly string[]): Promise<(T | undefined | Error)[]> {
    const results: Results<T> = new Map();
    try {
      await this.confirm(new Set(ids), results);
    } catch (error) {
      for (const id of ids) if (!results.has(id)) results.set(id, error as Error);
    }
    return ids.map((id) => results.get(id));
  }

  private async confirm(ids: ReadonlySet<string>, results: Results<T>): Promise<void> {
    const { clock, list, noun, hasList = () => true } = this.options;
    const isConfirmedRecently = clock.monotonic() - this.confirmedAt <= MAX_CONFIRMATION_AGE_MS;
    const pauses = isConfirmedRecently ? [0, PAUSE_MS] : [PAUSE_MS, ...PAUSES_WITHOUT_LIST_MS];
    let listedIds: ReadonlySet<string> | undefined;
    let isComplete = false;
    for (const pause of pauses) {
      if (pause > 0) await clock.sleep(pause);
      const missing = await this.readMissing(ids, results);
      if (missing.length === 0) return;
      const listing = await list(missing);
      isComplete = listing !== undefined && !(listing instanceof PartialList);
      listedIds = listing instanceof PartialList ? listing.ids : listing;
      if (isComplete) break;
    }
    if (!listedIds && hasList()) {
      for (const id of ids)
        if (!results.has(id)) results.set(id, contradiction(id, `the list of ${noun} was not found either`));
      return;
    }
    // The server may have restarted between the two requests.
    const listed = new Set([...ids].filter((id) => listedIds?.has(id)));
    for (const id of await this.readMissing(listed, results))
      results.set(id, contradiction(id, `the list of ${noun} still contains it`));
    if (isComplete && [...ids].some((id) => !results.has(id))) this.confirmedAt = clock.monotonic();
  }

  private async readMissing(ids: ReadonlySet<string>, results: Results<T>): Promise<string[]> {
    const isMissing = (id: string) => !results.has(id);
    const read = async (id: string) => {
      const result = await this.options.read(id).catch((error: Error) => error);
      if (result !== undefined) results.set(id, result);
    };
    await Promise.all([...ids].filter(isMissing).map(read));
    return [...ids].filter(isMissing);
  }
}

type Results<T> = Map<string, T | Error>;

const contradiction = (id: string, evidence: string) =>
  new ContradictionError(
    `Could not determine whether ${id} still exists: GET returned 404 for it, but ${evidence}. State is ` +
      "unchanged. Run the command again. If it fails again, a proxy or a replica of the server is faulty, or " +
      "the object has expired; ask its operators. To remove it from state only, run:  pulumi state delete <URN>",
  );
