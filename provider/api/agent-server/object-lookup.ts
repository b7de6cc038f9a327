/** Reads assistants or crons by their IDs. Servers have no search by IDs, so concurrent reads share a search of everything. */
import type { Clock } from "../../http/clock";
import { inPlaceOf } from "../../http/errors";
import { AbsenceCheck } from "../absence";
import { createIdReader } from "../batch";
import { collectAll, collectAvailable, type Pages } from "../pagination";

export interface ObjectLookupOptions<T> {
  clock: Clock;
  /** What the search lists, in the plural: `assistants`. */
  noun: string;
  /** Requests one object; undefined when the server does not find it. */
  read: (id: string) => Promise<T | undefined>;
  /** Lists all objects. */
  list: () => Pages<T>;
  idOf: (item: T) => string;
}

export class ObjectLookup<T> {
  private readonly absence: AbsenceCheck<T>;
  private readonly reader: (key: string) => Promise<T | undefined>;

  constructor({ clock, noun, read, list, idOf }: ObjectLookupOptions<T>) {
    this.reader = createIdReader<T, T | undefined>({
      readMany: (ids) => listSome(list, ids, idOf),
      readOne: read,
      idOf,
      maxBatchSize: Number.POSITIVE_INFINITY,
    });
    this.absence = new AbsenceCheck({
      clock,
      noun,
      read,
      list: async () => new Set((await collectAll(list())).map(idOf)),
    });
  }

  /** Returns an object, in one search for concurrent calls; undefined when the server returns 404 for it. */
  peek(id: string): Promise<T | undefined> {
    return this.reader(id);
  }

  /** Returns an object, in one search for concurrent calls; undefined when it is gone. */
  async find(id: string): Promise<T | undefined> {
    return (await this.peek(id)) ?? this.absence.find(id);
  }
}

/**
 * Searches for objects until as many pages were read as objects are missing: then requesting these costs less.
 * Returns nothing where the server rejects the search.
 */
async function listSome<T>(list: () => Pages<T>, ids: readonly string[], idOf: (item: T) => string): Promise<T[]> {
  const missing = new Set(ids);
  let pageCount = 0;
  const isEnough = (_all: readonly T[], page: readonly T[]) => {
    for (const item of page) missing.delete(idOf(item));
    pageCount++;
    return missing.size <= pageCount;
  };
  const nothing = { items: [] };
  return (await collectAvailable(list(), isEnough).catch(inPlaceOf(({ isRejection }) => isRejection, nothing))).items;
}
