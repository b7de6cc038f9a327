import type { Bodies, RequestLogEntry } from "./descriptions";
import { limits } from "./limits";
import { RequestBodies } from "./request-bodies";
import type { SecretBox } from "./storage/secret-box";
import type { Row, Store } from "./storage/store";
import { matchesPath } from "./text/glob";
import { redactQuery, redactSecrets } from "./validation/redact";

/** Selects entries. In a path, `*` matches any text without a slash and `**` any text. */
export interface RequestLogFilter {
  /** One method, or several separated by commas. */
  method?: string;
  path?: string;
  /** `404`, `4xx`, or `none` if the connection was closed without a response. */
  status?: string;
  /** Only requests that concern the resource with this ID. */
  resource?: string;
  /** Only entries with a greater ID. */
  after?: number;
  /** Only entries with a smaller ID. */
  before?: number;
  /** Only the newest entries, at most this many. */
  limit?: number;
}

/** What the log stores about a request. */
export type NewEntry = Omit<RequestLogEntry, "id" | "time">;

/**
 * The requests that the platform received, oldest first. Keeps the newest 100,000, and complete bodies of the newest
 * 10,000.
 */
export class RequestLog {
  private readonly bodies: RequestBodies;

  constructor(
    private readonly store: Store,
    secretBox: SecretBox,
  ) {
    this.bodies = new RequestBodies(store, secretBox);
  }

  /** Adds a request with its entry and the bodies as they were sent. Returns its ID. */
  append(at: number, entry: NewEntry, sent: { request: Buffer | number; response: string | number | null }): number {
    const { method, path } = entry;
    const text = JSON.stringify({ ...entry, query: redactQuery(entry.query), body: redactSecrets(entry.body) });
    const sql = "INSERT INTO request_log (at, method, path, entry) VALUES (?, ?, ?, ?)";
    const id = this.store.run(sql, at, method, path, text);
    this.store.run("DELETE FROM request_log WHERE id <= ?", id - limits.requestLog.maxEntries);
    this.bodies.append(id, sent.request, sent.response);
    return id;
  }

  entries(filter: RequestLogFilter = {}): RequestLogEntry[] {
    const { after = 0, before = Number.MAX_SAFE_INTEGER, limit = Number.POSITIVE_INFINITY } = filter;
    const newestFirst: RequestLogEntry[] = [];
    for (const row of this.store.iterate(MATCHING, after, before, ...conditionsOf(filter))) {
      if (newestFirst.length >= limit) break;
      const entry = matchesPattern(row, filter) ? toEntry(row) : undefined;
      if (entry && matchesResource(entry, filter)) newestFirst.push(entry);
    }
    return newestFirst.reverse();
  }

  /** Returns one entry with the bodies of request and response; undefined if the log does not have it. */
  find(id: number, showsSecrets: boolean): (RequestLogEntry & Bodies) | undefined {
    const row = this.store.get("SELECT * FROM request_log WHERE id = ?", id);
    return row && { ...toEntry(row), ...this.bodies.read(id, showsSecrets) };
  }

  count(filter: RequestLogFilter = {}): number {
    return this.entries(filter).length;
  }

  clear(): void {
    this.store.run("DELETE FROM request_log");
    this.bodies.clear();
  }
}

function toEntry({ id, at, entry }: Row): RequestLogEntry {
  return {
    id: Number(id),
    time: new Date(Number(at)).toISOString(),
    // Entries of earlier versions lack these fields.
    ...{ operation: null, client: null, duration_ms: 0, resources: [] },
    ...JSON.parse(String(entry)),
  };
}

/**
 * Newest first. SQLite rejects most rows, because reading 100,000 of them here would hold up all requests for seconds.
 */
const MATCHING = `
  SELECT * FROM request_log
  WHERE id > ?1 AND id < ?2
    AND (?3 IS NULL OR instr(?3, ',' || method || ','))
    AND (?4 IS NULL OR instr(entry, ?4))
    AND substr(path, 1, length(?5)) = ?5 AND (?6 = '' OR substr(path, -length(?6)) = ?6)
    AND (?7 IS NULL OR coalesce(entry ->> 'status', 0) BETWEEN ?7 AND ?8)
  ORDER BY id DESC`;

/** Returns the parameters of the conditions: method, resource, what the path begins and ends with, and the statuses. */
function conditionsOf({ method, resource, path = "**", status }: RequestLogFilter): (string | number | null)[] {
  const [, begin = "", end = ""] = /^([^*]*)(?:.*\*([^*]*))?$/su.exec(path) ?? [];
  const [from, to] = statusRange(status);
  return [method === undefined ? null : `,${method.toUpperCase()},`, resource ?? null, begin, end, from, to];
}

/**
 * Returns the lowest and the highest status that a filter selects; 0 stands for a closed connection, and -1 for none.
 */
function statusRange(status: string | undefined): [number | null, number | null] {
  if (status === undefined) return [null, null];
  if (status === "none") return [0, 0];
  const bound = (digits: string) => Number(status.replace("xx", digits)) || -1;
  return [bound("00"), bound("99")];
}

function matchesPattern(row: Row, { path }: RequestLogFilter): boolean {
  return path === undefined || matchesPath(path, String(row.path));
}

/** The entry may also contain the ID elsewhere, as in its body. */
function matchesResource({ resources }: RequestLogEntry, { resource }: RequestLogFilter): boolean {
  return resource === undefined || resources.includes(resource);
}
