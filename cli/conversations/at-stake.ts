/** Counts what an agent server keeps for its users, with requests that change nothing. */
import { cronsFlagIn } from "../../provider/api/agent-server/crons";
import { nameOfItem, type SavedCron } from "../../provider/conversations/catalog/read-catalog";
import {
  type ListedThread,
  type Probe,
  RejectedError,
  type Route,
  textOf,
} from "../../provider/conversations/server/conversation-server";
import { pagesOf, type ServerList } from "../../provider/conversations/server/list-threads";
import type { HttpResponse } from "../../provider/http/client";
import { inPlaceOf, recoverFrom } from "../../provider/http/errors";

/** What is counted, in the order of a text. */
const COUNTED = {
  threads: ["thread", "threads"],
  assistants: ["assistant", "assistants"],
  crons: ["cron", "crons"],
  items: ["stored item", "stored items"],
} as const;
type Counted = keyof typeof COUNTED;

export interface AtStake {
  threads: number;
  /** Threads that wait for an answer, and those that a run writes to; absent where the server does not say so. */
  waiting?: number;
  busy?: number;
  /** Without the default assistants, which every server with the graph has. */
  assistants?: number;
  /** Absent on a server without crons, too. */
  crons?: number;
  items?: number;
  /** Numbers that are minimums: a page was full. */
  minimums: Counted[];
  /** What could not be counted. */
  unknown: Counted[];
  /** Whether others may see more: the server rejects requests without a key, or it shows no thread. */
  isPartial: boolean;
}

export interface AtStakeOptions {
  probe: Probe;
  /** Sends requests without the key; undefined where there is none. */
  probeWithoutKey: Probe | undefined;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Milliseconds since the epoch. */
  deadline: number;
}

/** After how long a list is requested again that was not found: a proxy may have said so. */
const PAUSES_MS = [1000, 3000];
/** How many of each are listed. Of more, it is only known that there are as many. */
const MAX_LISTED = 1000;

/** What a server keeps, or why its number of threads is unknown. */
export type Stake = { known: AtStake } | { unknown: string };
type Threads = Pick<AtStake, "threads" | "waiting" | "busy">;

export async function countAtStake(options: AtStakeOptions): Promise<Stake> {
  const counting = new Counting(options);
  const threads = await counting.threads();
  if (typeof threads === "string") return { unknown: threads };
  const [assistants, crons, items, isPartial] = await Promise.all([
    counting.assistants(),
    counting.crons(),
    counting.items(),
    counting.isPartial(threads.threads),
  ]);
  const others = Object.entries({ assistants, crons, items }).filter(([, count]) => count !== undefined);
  const { minimums, unknown } = counting;
  return { known: { ...threads, ...Object.fromEntries(others), minimums, unknown, isPartial } };
}

class Counting {
  readonly minimums: Counted[] = [];
  readonly unknown: Counted[] = [];

  constructor(private readonly options: AtStakeOptions) {}

  private ask(route: Pick<Route, "path" | "body">, probe = this.options.probe): Promise<HttpResponse> {
    const { now, deadline } = this.options;
    const method = route.body === undefined ? "GET" : "POST";
    return probe({ ...route, method, isRead: true, timeoutMs: Math.max(1, Math.ceil(deadline - now())) });
  }

  /** Counts the threads. Returns why it cannot. */
  async threads(): Promise<Threads | string> {
    const body = { select: ["thread_id", "status"], sort_by: "status", sort_order: "asc" };
    const idOf = ({ thread_id: id }: ListedThread) => id;
    const keepRejection = recoverFrom(RejectedError, (error) => error);
    const listed = await this.list({ path: "/threads/search", body, idOf }).catch(keepRejection);
    if (listed instanceof RejectedError && listed.isUnauthorized)
      return `the server rejected the API key (${listed.status})`;
    if (listed instanceof RejectedError || listed.length >= MAX_LISTED)
      return this.large(listed instanceof RejectedError ? undefined : listed);
    const count = (status: string) => listed.filter((thread) => thread.status === status).length;
    return { threads: listed.length, waiting: count("interrupted"), busy: count("busy") };
  }

  /** A server with many threads counts them. @param listed Undefined where it does not list them. */
  private async large(listed: readonly ListedThread[] | undefined): Promise<Threads | string> {
    const [total, waiting] = await Promise.all([this.total({}), this.total({ status: "interrupted" })]);
    if (total === undefined && listed === undefined) return "the server does not list its threads";
    if (total === undefined) this.minimums.push("threads");
    const busy = busyIn(listed ?? []);
    const counts = { ...(waiting !== undefined && { waiting }), ...(busy !== undefined && { busy }) };
    return { threads: total ?? MAX_LISTED, ...counts };
  }

  private async total(body: object): Promise<number | undefined> {
    const { status, json } = await this.ask({ path: "/threads/count", body });
    return status < 300 && typeof json === "number" ? json : undefined;
  }

  assistants(): Promise<number | undefined> {
    type Assistant = { assistant_id: string; metadata?: { created_by?: unknown } | null };
    const idOf = ({ assistant_id: id }: Assistant) => id;
    const isOwn = ({ metadata }: Assistant) => metadata?.created_by !== "system";
    return this.count("assistants", { path: "/assistants/search", idOf }, isOwn);
  }

  crons(): Promise<number | undefined> {
    const idOf = ({ cron_id: id }: Pick<SavedCron, "cron_id">) => id;
    return this.count("crons", { path: "/runs/crons/search", idOf });
  }

  items(): Promise<number | undefined> {
    const body = { namespace_prefix: [], refresh_ttl: false };
    return this.count("items", { path: "/store/items/search", body, field: "items", idOf: nameOfItem });
  }

  private async count<T extends object>(
    counted: Counted,
    list: ServerList<T>,
    isCounted: (item: T) => boolean = () => true,
  ): Promise<number | undefined> {
    try {
      const listed = await this.listOptional(list);
      if (!listed) return undefined;
      if (listed.length >= MAX_LISTED) this.minimums.push(counted);
      return listed.filter(isCounted).length;
    } catch {
      this.unknown.push(counted);
      return undefined;
    }
  }

  /** Lists what not every server has; undefined where it says that it has none, or where the list stays missing. */
  private async listOptional<T extends object>(list: ServerList<T>): Promise<T[] | undefined> {
    const ignoreMissing = inPlaceOf(({ isUnsupportedRoute }) => isUnsupportedRoute, undefined);
    for (const pause of [0, ...PAUSES_MS]) {
      if (pause > 0) await this.options.sleep(pause);
      const listed = await this.list(list).catch(ignoreMissing);
      if (listed || (list.path.includes("crons") && (await this.hasNoCrons()))) return listed;
    }
    return undefined;
  }

  private async hasNoCrons(): Promise<boolean> {
    return cronsFlagIn((await this.ask({ path: "/info" })).json) === false;
  }

  /** Lists up to MAX_LISTED, also from a server whose pages are smaller. */
  private async list<T extends object>(list: ServerList<T>): Promise<T[]> {
    const read = async (route: Route) => textOf(route, await this.ask(route));
    const found = new Map<string, T>();
    for await (const page of pagesOf(read, list)) {
      for (const item of page) found.set(list.idOf(item), item);
      if (found.size >= MAX_LISTED) break;
    }
    return [...found.values()];
  }

  /** Whether others may see more than this key does. */
  async isPartial(threads: number): Promise<boolean> {
    const { probeWithoutKey } = this.options;
    if (probeWithoutKey === undefined) return false;
    // A key that may see none looks like a server that has none.
    if (threads === 0) return true;
    const route = { path: "/threads/search", body: { limit: 1, select: ["thread_id"] } };
    const { status } = await this.ask(route, probeWithoutKey).catch(() => ({ status: 401 }));
    return status === 401 || status === 403;
  }
}

/** Returns the number of busy threads in a page that is sorted by status, in which they are the first. */
function busyIn(listed: readonly { status?: string }[]): number | undefined {
  const first = listed.findIndex(({ status }) => status !== "busy");
  return first >= 0 && listed.slice(first).every(({ status }) => status !== "busy") ? first : undefined;
}

/** `4,312 threads (7 wait for an answer, 3 busy), 12 assistants, 4 crons, at least 1,000 stored items`. */
export function describeAtStake({ waiting = 0, busy = 0, minimums, unknown, ...counts }: AtStake): string {
  const numbers = new Intl.NumberFormat("en-US");
  const states = [
    ...(waiting > 0 ? [`${numbers.format(waiting)} ${waiting === 1 ? "waits" : "wait"} for an answer`] : []),
    ...(busy > 0 ? [`${numbers.format(busy)} busy`] : []),
  ].join(", ");
  const parts = (Object.keys(COUNTED) as Counted[]).flatMap((name) => {
    const [one, many] = COUNTED[name];
    if (unknown.includes(name)) return [`an unknown number of ${many}`];
    const count = counts[name];
    if (count === undefined) return [];
    const least = minimums.includes(name) ? "at least " : "";
    const details = name === "threads" && states !== "" ? ` (${states})` : "";
    return [`${least}${numbers.format(count)} ${count === 1 ? one : many}${details}`];
  });
  return parts.join(", ");
}
