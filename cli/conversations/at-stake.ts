/** Counts what an agent server keeps for its users, with at most five requests that change nothing. */
import {
  type Probe,
  RejectedError,
  type Route,
  textOf,
  toList,
} from "../../provider/conversations/server/conversation-server";
import type { HttpResponse } from "../../provider/http/client";

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
  /** Milliseconds since the epoch. */
  deadline: number;
}

/** The maximum of servers. */
const PAGE_SIZE = 1000;

/** What a server keeps, or why its number of threads is unknown. */
export type Stake = { known: AtStake } | { unknown: string };

export async function countAtStake(options: AtStakeOptions): Promise<Stake> {
  const counting = new Counting(options);
  const byStatus = { select: ["thread_id", "status"], sort_by: "status", sort_order: "asc" };
  const first = await counting.ask("/threads/search", { limit: PAGE_SIZE, ...byStatus });
  if (first.status === 401 || first.status === 403)
    return { unknown: `the server rejected the API key (${first.status})` };
  const listed = first.status < 300 ? toList<{ status?: string }>(first.text ?? "", "its threads") : undefined;
  return listed && listed.length < PAGE_SIZE ? counting.whole(listed) : counting.large(listed);
}

class Counting {
  private readonly minimums: Counted[] = [];
  private readonly unknown: Counted[] = [];

  constructor(private readonly options: AtStakeOptions) {}

  ask(path: string, body: object, probe = this.options.probe): Promise<HttpResponse> {
    const { now, deadline } = this.options;
    const route: Route = { method: "POST", path, body, isRead: true };
    return probe({ ...route, timeoutMs: Math.max(1, Math.ceil(deadline - now())) });
  }

  /** All threads are in the first page. */
  async whole(listed: readonly { status?: string }[]): Promise<Stake> {
    const count = (status: string) => listed.filter((thread) => thread.status === status).length;
    const [assistants, crons, items, isPartial] = await Promise.all([
      this.assistants(),
      this.crons(),
      this.items(),
      this.isPartial(listed.length),
    ]);
    const threads = { threads: listed.length, waiting: count("interrupted"), busy: count("busy") };
    return this.result(threads, { assistants, crons, items }, isPartial);
  }

  /** A server with many threads counts them. Then no request is left for crons, and for one without the key. */
  async large(listed: readonly { status?: string }[] | undefined): Promise<Stake> {
    const [total, waiting, assistants, items] = await Promise.all([
      this.count({}),
      this.count({ status: "interrupted" }),
      this.assistants(),
      this.items(),
    ]);
    if (total === undefined && listed === undefined) return { unknown: "the server does not list its threads" };
    if (total === undefined) this.minimums.push("threads");
    this.unknown.push("crons");
    const busy = busyIn(listed ?? []);
    const counts = { ...(waiting !== undefined && { waiting }), ...(busy !== undefined && { busy }) };
    const isPartial = this.options.probeWithoutKey !== undefined;
    return this.result({ threads: total ?? PAGE_SIZE, ...counts }, { assistants, items }, isPartial);
  }

  private result(
    threads: Pick<AtStake, "threads" | "waiting" | "busy">,
    others: Partial<Record<Counted, number | undefined>>,
    isPartial: boolean,
  ): Stake {
    const known = Object.entries(others).filter(([, count]) => count !== undefined);
    const { minimums, unknown } = this;
    return { known: { ...threads, ...Object.fromEntries(known), minimums, unknown, isPartial } };
  }

  private async count(body: object): Promise<number | undefined> {
    const { status, json } = await this.ask("/threads/count", body);
    return status < 300 && typeof json === "number" ? json : undefined;
  }

  private assistants(): Promise<number | undefined> {
    type Assistant = { metadata?: { created_by?: unknown } | null };
    const isOwn = ({ metadata }: Assistant) => metadata?.created_by !== "system";
    return this.page("assistants", "/assistants/search", (text) => {
      const all = toList<Assistant>(text, "its assistants");
      return [all.filter(isOwn).length, all.length];
    });
  }

  private crons(): Promise<number | undefined> {
    return this.page("crons", "/runs/crons/search", (text) => {
      const { length } = toList(text, "its crons");
      return [length, length];
    });
  }

  private items(): Promise<number | undefined> {
    const body = { namespace_prefix: [], refresh_ttl: false };
    return this.page(
      "items",
      "/store/items/search",
      (text) => {
        const { length } = toList(text, "its stored items", "items");
        return [length, length];
      },
      body,
    );
  }

  /** @param countIn Returns the number in a page, and its size. */
  private async page(
    counted: Counted,
    path: string,
    countIn: (text: string) => readonly [count: number, size: number],
    body: object = {},
  ): Promise<number | undefined> {
    const route = { method: "POST", path } as const;
    try {
      const [count, size] = countIn(textOf(route, await this.ask(path, { ...body, limit: PAGE_SIZE })));
      if (size >= PAGE_SIZE) this.minimums.push(counted);
      return count;
    } catch (error) {
      if (!(error instanceof RejectedError && isAbsent(error))) this.unknown.push(counted);
      return undefined;
    }
  }

  /** Whether others may see more than this key does. */
  private async isPartial(threads: number): Promise<boolean> {
    const { probeWithoutKey } = this.options;
    if (probeWithoutKey === undefined) return false;
    // A key that may see none looks like a server that has none.
    if (threads === 0) return true;
    const { status } = await this.ask("/threads/search", { limit: 1, select: ["thread_id"] }, probeWithoutKey).catch(
      () => ({ status: 401 }),
    );
    return status === 401 || status === 403;
  }
}

/** Whether a server has no such thing: those in JavaScript say so with status 500. */
const isAbsent = ({ status, detail }: RejectedError): boolean =>
  status === 404 || status === 405 || status === 501 || /not implemented/i.test(detail);

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
