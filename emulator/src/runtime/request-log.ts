import { limits } from "./limits";
import { type Bodies, RequestBodies } from "./request-bodies";
import type { SecretBox } from "./storage/secret-box";
import type { Row, Store } from "./storage/store";
import { matchesPath } from "./text/glob";
import { REDACTED, redactSecrets } from "./validation/redact";

/** One entry of the request log. Requests to `/_emulator` are not logged. */
export interface JournalEntry {
  id: number;
  time: string;
  method: string;
  path: string;
  query: Record<string, string[]>;
  /** The status of the response; null if the connection was closed instead. */
  status: number | null;
  tenant_id: string | null;
  /** The request body with secret values redacted; null without a body. */
  body: unknown;
  /** Remarks such as ignored unknown fields. */
  notes: string[];
  /** The effect of an injected fault. */
  fault: string | null;
  /** What the route does, such as "Create a deployment"; null for an unknown path. */
  operation: string | null;
  /** The User-Agent header. */
  client: string | null;
  /** Real milliseconds from the first byte of the request to the response. */
  duration_ms: number;
  /** IDs in the path, and in the response to a POST or PATCH those of the resource and its latest revision. */
  resources: string[];
}

/** Selects entries. In a path, `*` matches any text without a slash and `**` any text. */
export interface JournalFilter {
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
export type NewEntry = Omit<JournalEntry, "id" | "time">;

/** The requests that the platform received, oldest first. Keeps the newest 100,000, and complete bodies of the newest 10,000. */
export class RequestLog {
  private readonly bodies: RequestBodies;

  constructor(
    private readonly store: Store,
    secretBox: SecretBox,
  ) {
    this.bodies = new RequestBodies(store, secretBox);
  }

  /** Adds a request with its entry and the bodies as they were sent. */
  append(at: number, entry: NewEntry, sent: { request: Buffer; response: string | null }): void {
    const { method, path } = entry;
    const text = JSON.stringify({ ...entry, query: redactSignature(entry.query), body: redactSecrets(entry.body) });
    const sql = "INSERT INTO journal (at, method, path, entry) VALUES (?, ?, ?, ?)";
    const id = this.store.run(sql, at, method, path, text);
    this.store.run("DELETE FROM journal WHERE id <= ?", id - limits.requestLog.maxEntries);
    this.bodies.append(id, sent.request, sent.response);
  }

  entries(filter: JournalFilter = {}): JournalEntry[] {
    const { after = 0, before = Number.MAX_SAFE_INTEGER, limit = Number.POSITIVE_INFINITY } = filter;
    const newestFirst: JournalEntry[] = [];
    const rows = this.store.iterate("SELECT * FROM journal WHERE id > ? AND id < ? ORDER BY id DESC", after, before);
    for (const row of rows) {
      if (newestFirst.length >= limit) break;
      const entry = matchesRow(row, filter) ? toEntry(row) : undefined;
      if (entry && matchesEntry(entry, filter)) newestFirst.push(entry);
    }
    return newestFirst.reverse();
  }

  /** Returns one entry with the bodies of request and response; undefined if the log does not have it. */
  find(id: number, showsSecrets: boolean): (JournalEntry & Bodies) | undefined {
    const row = this.store.get("SELECT * FROM journal WHERE id = ?", id);
    return row && { ...toEntry(row), ...this.bodies.read(id, showsSecrets) };
  }

  count(filter: JournalFilter = {}): number {
    return this.entries(filter).length;
  }

  clear(): void {
    this.store.run("DELETE FROM journal");
    this.bodies.clear();
  }
}

function toEntry({ id, at, entry }: Row): JournalEntry {
  return {
    id: Number(id),
    time: new Date(Number(at)).toISOString(),
    // Entries of earlier versions lack these fields.
    ...{ operation: null, client: null, duration_ms: 0, resources: [] },
    ...JSON.parse(String(entry)),
  };
}

/** Compares what the row itself contains, because parsing entries takes most of the time. */
function matchesRow(row: Row, { method, path, resource }: JournalFilter): boolean {
  if (method !== undefined && !method.toUpperCase().split(",").includes(String(row.method))) return false;
  if (resource !== undefined && !String(row.entry).includes(resource)) return false;
  return path === undefined || matchesPath(path, String(row.path));
}

function matchesEntry({ status, resources }: JournalEntry, filter: JournalFilter): boolean {
  if (filter.resource !== undefined && !resources.includes(filter.resource)) return false;
  if (filter.status === undefined) return true;
  if (status === null) return filter.status === "none";
  return filter.status.endsWith("xx")
    ? filter.status.startsWith(String(status).slice(0, 1))
    : filter.status === String(status);
}

/** Redacts the signature of an upload URL: with it, anyone could upload another tarball. */
function redactSignature(query: JournalEntry["query"]): JournalEntry["query"] {
  return query.signature === undefined ? query : { ...query, signature: query.signature.map(() => REDACTED) };
}
