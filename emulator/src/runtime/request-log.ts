import { limits } from "./limits";
import type { Store } from "./storage/store";
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
}

/** Selects entries. In a path, `*` matches any text without a slash and `**` any text. */
export interface JournalFilter {
  method?: string;
  path?: string;
  /** `404`, `4xx`, or `none` if the connection was closed without a response. */
  status?: string;
  /** Only entries with a greater ID. */
  after?: number;
  /** Only the newest entries, at most this many. */
  limit?: number;
}

/** The requests that the platform received, oldest first. Keeps the newest 10,000. */
export class RequestLog {
  constructor(private readonly store: Store) {}

  append(at: number, entry: Omit<JournalEntry, "id" | "time">): void {
    const { method, path } = entry;
    const text = JSON.stringify({ ...entry, query: redactSignature(entry.query), body: redactSecrets(entry.body) });
    const id = this.store.run(
      "INSERT INTO journal (at, method, path, entry) VALUES (?, ?, ?, ?)",
      at,
      method,
      path,
      text,
    );
    this.store.run("DELETE FROM journal WHERE id <= ?", id - limits.requestLog.maxEntries);
  }

  entries(filter: JournalFilter = {}): JournalEntry[] {
    const { path: pattern } = filter;
    const method = filter.method?.toUpperCase();
    const entries = this.store
      .all("SELECT * FROM journal WHERE id > ? ORDER BY id", filter.after ?? 0)
      .flatMap((row) => {
        if (method !== undefined && row.method !== method) return [];
        if (pattern !== undefined && !matchesPath(pattern, String(row.path))) return [];
        const time = new Date(Number(row.at)).toISOString();
        const entry: JournalEntry = { id: Number(row.id), time, ...JSON.parse(String(row.entry)) };
        return matchesStatus(entry, filter.status) ? [entry] : [];
      });
    return filter.limit === undefined ? entries : entries.slice(-filter.limit);
  }

  count(filter: JournalFilter = {}): number {
    return this.entries(filter).length;
  }

  clear(): void {
    this.store.run("DELETE FROM journal");
  }
}

function matchesStatus({ status }: JournalEntry, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  if (status === null) return filter === "none";
  return filter.endsWith("xx") ? filter.startsWith(String(status).slice(0, 1)) : filter === String(status);
}

/** Redacts the signature of an upload URL: with it, anyone could upload another tarball. */
function redactSignature(query: JournalEntry["query"]): JournalEntry["query"] {
  return query.signature === undefined ? query : { ...query, signature: query.signature.map(() => REDACTED) };
}
