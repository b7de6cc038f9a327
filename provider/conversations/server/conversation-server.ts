/** The routes of an agent server that conversations are read from and written with. Bodies keep their numbers. */
import { cronsFlagIn } from "../../api/agent-server/crons";
import type { Feature } from "../../api/profile/features";
import { LearnedProfile } from "../../api/profile/learned-profile";
import type { HttpRequest, HttpResponse } from "../../http/client";
import { type Clock, realClock } from "../../http/clock";
import { HttpError, inPlaceOf, recover } from "../../http/errors";
import { tryOr } from "../../text/try-or";
import { UserError } from "../../text/user-error";
import { parseLossless } from "../lossless-json";

export interface Task {
  id: string;
  name: string;
  /** What it wrote; absent while it waits, and on servers in JavaScript after a copy. */
  result?: unknown;
  interrupts?: readonly { id?: string; value?: unknown }[];
  /** Its place in the step, by which graphs order what tasks write. */
  path?: readonly unknown[];
  /** Of a subgraph. */
  checkpoint?: { checkpoint_ns?: string } | null;
}

export interface Checkpoint {
  values: unknown;
  next: readonly string[];
  tasks: readonly Task[];
  metadata: { source?: string; step?: number };
  checkpoint: { checkpoint_id: string; checkpoint_ns?: string };
  parent_checkpoint?: { checkpoint_id: string } | null;
}

export interface Update {
  as_node: string;
  values?: unknown;
  command?: unknown;
}

export interface Superstep {
  updates: readonly Update[];
}

export interface ListedThread {
  thread_id: string;
  created_at?: string;
  status?: string;
  metadata?: Record<string, unknown> | null;
}

export type Route = Pick<HttpRequest, "method" | "path" | "search" | "body" | "isRead" | "isText" | "headers">;
/** Sends one request, and returns any response. */
export type Probe = (request: Route & { timeoutMs: number }) => Promise<HttpResponse>;

/** Reads of large histories take tens of seconds on a busy development server. */
const TIMEOUT_MS = 180_000;
/** Characters of a page of a history: one checkpoint may have millions. */
const PAGE_CHARACTERS = 8_000_000;
/** The maximum of servers. */
const MAX_PAGE = 1000;
const MAX_FIRST_PAGE = 32;
/** How much larger a checkpoint may be than all that were seen before. */
const MARGIN = 10;
const fittingIn = (page: number, one: number, most: number) => Math.max(1, Math.min(most, Math.floor(page / one)));
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;

export class RejectedError extends HttpError {
  override name = "RejectedError";

  constructor(
    { method, path }: Pick<Route, "method" | "path">,
    override readonly status: number,
    detail: string,
  ) {
    super({ method, path, status, detail: detail.slice(0, 500) });
  }

  /** Whether it says nothing of one object: the next request would get the same now, and this one another later. */
  get isOfEveryRequest(): boolean {
    return [401, 408, 429, 502, 503, 504].includes(this.status);
  }
}

export const recoverRejection = <T>(handle: (error: HttpError) => T) =>
  recover((error) => error instanceof RejectedError && !error.isOfEveryRequest, handle);

export class ConversationServer {
  /** Characters of a checkpoint in the page with the largest ones, by which a history usually needs one request. */
  private largest = 0;
  private readonly profile: LearnedProfile;

  constructor(
    private readonly probe: Probe,
    /** Whether it is a server in Python, which takes other forms of some bodies than one in JavaScript. */
    readonly isPython: boolean,
    private readonly clock: Clock = realClock,
    /** Whether the size of what was read decides how much the first request for a history reads. */
    private readonly isLearning = false,
  ) {
    this.profile = new LearnedProfile(clock);
  }

  withHeaders(headers: Record<string, string>): ConversationServer {
    const send: Probe = (request) => this.probe({ ...request, headers: { ...request.headers, ...headers } });
    return new ConversationServer(send, this.isPython, this.clock, this.isLearning);
  }

  /** Returns a thread's checkpoints, newest first. @param namespace That of a subgraph; empty for the graph itself. */
  async readHistory(threadId: string, namespace = ""): Promise<Checkpoint[]> {
    const checkpoints: Checkpoint[] = [];
    let limit =
      this.largest === 0 || !this.isLearning ? 1 : fittingIn(PAGE_CHARACTERS / MARGIN, this.largest, MAX_FIRST_PAGE);
    for (;;) {
      const before = checkpoints.at(-1)?.checkpoint.checkpoint_id;
      const read = (count: number) => this.readPage(threadId, namespace, count, before);
      const [text, fitting] = await readFitting(limit, read);
      const page = toList<Checkpoint>(text, `the history of thread ${threadId}`);
      checkpoints.push(...page);
      const characters = text.length / Math.max(1, page.length);
      this.largest = Math.max(this.largest, characters);
      const oldest = page.at(-1);
      // A server may return fewer than requested. One that has deleted old ones does not end with the first one.
      if (!oldest || (page.length < fitting && !oldest.parent_checkpoint)) return checkpoints;
      limit = fittingIn(PAGE_CHARACTERS, characters, Math.min(MAX_PAGE, fitting * 100));
    }
  }

  /** Returns the ID of the latest checkpoint; undefined where the thread has none. */
  async readLatest(threadId: string): Promise<string | undefined> {
    const text = await this.readPage(threadId, "", 1, undefined);
    return toList<Checkpoint>(text, `the history of thread ${threadId}`)[0]?.checkpoint.checkpoint_id;
  }

  private async readPage(threadId: string, namespace: string, limit: number, before: string | undefined) {
    const path = `/threads/${threadId}/history`;
    // Neither server takes the form of the other.
    const form = this.isPython ? { configurable: { checkpoint_id: before, checkpoint_ns: namespace } } : before;
    const of = namespace !== "" && { checkpoint: { checkpoint_ns: namespace } };
    const body = { limit, ...of, ...(before !== undefined && { before: form }) };
    return this.read({ method: "POST", path, body });
  }

  /** Returns how many threads the server shows; undefined where it does not count them. */
  async readCount(): Promise<number | undefined> {
    const count = this.readJson<number>({ method: "POST", path: "/threads/count", body: {} });
    return count.catch(inPlaceOf(({ status = 500 }) => status < 500, undefined));
  }

  /** Sends a read, again while the server does not respond. @throws RejectedError, also for a response of no use. */
  read(route: Route): Promise<string> {
    return this.send({ ...route, isRead: true });
  }

  /** Whether the server does not find an object. Of any other rejection, it may exist. */
  isMissing(path: string): Promise<boolean> {
    const isRejected = recover(
      ({ status }) => status !== undefined,
      ({ isNotFound }) => isNotFound,
    );
    return this.read({ method: "GET", path }).then(() => false, isRejected);
  }

  /** Reads what not every server has. @returns Undefined where it does not exist, or the route, and others respond. */
  readOptional(feature: Feature, route: Route, exists?: () => Promise<boolean>): Promise<string | undefined> {
    const send = () => this.read(route);
    const other = { method: "POST", path: "/threads/search", body: { limit: 1 } } as const;
    const responds = () => this.read(other).then(() => true);
    const info = { method: "GET", path: "/info" } as const;
    const readFlag = async () => (feature === "crons-search" ? cronsFlagIn(await this.readJson(info)) : undefined);
    return this.profile.read(feature, { send, exists: exists ?? responds }, readFlag);
  }

  async readJson<T>(route: Route): Promise<T> {
    const text = await this.read(route);
    const json = parsed(text);
    if (json === undefined) throw new RejectedError(route, 200, `not JSON: ${text}`);
    return json as T;
  }

  /** Sends a change, again only after a rate limit. @throws RejectedError, and HttpError if its outcome is unknown. */
  write(route: Route): Promise<string> {
    return this.send(route);
  }

  private async send(route: Route): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= MAX_ATTEMPTS;
      const response = await this.probe({ ...route, isText: true, timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
        if (!(error instanceof HttpError) || !route.isRead || (isLast && !error.isUnexpected)) throw error;
        // Once too large, always too large.
        if (error.isUnexpected) throw new RejectedError(route, error.status ?? 200, error.detail);
        return undefined;
      });
      const isBusy = !response || response.status === 429 || (route.isRead && response.status >= 502);
      if (response && (!isBusy || isLast)) return textOf(route, response);
      await this.clock.sleep(FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}

/** Reads a page, a smaller one if it would be too large, or the limit is. Returns it with the limit that was used. */
export async function readFitting<T>(limit: number, read: (limit: number) => Promise<T>): Promise<[T, number]> {
  try {
    return [await read(limit), limit];
  } catch (error) {
    const isTooLarge = error instanceof RejectedError && (error.status < 300 || [400, 422].includes(error.status));
    if (limit === 1 || !isTooLarge) throw error;
    return readFitting(Math.ceil(limit / 4), read);
  }
}

const parsed = (text: string): unknown => tryOr(() => parseLossless(text), undefined);

/**
 * @param field Of the response, which contains the list. Default: the response is the list.
 * @throws UserError when it is not a list of objects.
 */
export function toList<T extends object>(text: string, what: string, field?: string): T[] {
  const json = parsed(text);
  const list = field === undefined ? json : Object(json)[field];
  if (Array.isArray(list) && list.every((item) => typeof item === "object" && item !== null)) return list;
  throw new UserError(
    `The agent server returned something else than a list for ${what}. Check that the URL is that of an agent server.`,
  );
}

export function textOf(route: Route, { status, text = "" }: HttpResponse): string {
  if (status >= 300) throw new RejectedError(route, status, text);
  return text;
}
