import { limits } from "./limits";
import type { Store } from "./storage/store";
import { matchesPath } from "./text/glob";
import { masked, maskSecrets } from "./validation/redact";

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
export class Journal {
  constructor(private readonly store: Store) {}

  write(at: number, entry: Omit<JournalEntry, "id" | "time">): void {
    const { method, path } = entry;
    const text = JSON.stringify({ ...entry, query: maskSignature(entry.query), body: maskSecrets(entry.body) });
    const id = this.store.run(
      "INSERT INTO journal (at, method, path, entry) VALUES (?, ?, ?, ?)",
      at,
      method,
      path,
      text,
    );
    this.store.run("DELETE FROM journal WHERE id <= ?", id - limits.journal.maxEntries);
  }

  entries(filter: JournalFilter = {}): JournalEntry[] {
    const { path: pattern } = filter;
    const method = filter.method?.toUpperCase();
    const found = this.store.all("SELECT * FROM journal WHERE id > ? ORDER BY id", filter.after ?? 0).flatMap((row) => {
      if (method !== undefined && row.method !== method) return [];
      if (pattern !== undefined && !matchesPath(pattern, String(row.path))) return [];
      const time = new Date(Number(row.at)).toISOString();
      const entry: JournalEntry = { id: Number(row.id), time, ...JSON.parse(String(row.entry)) };
      return isOfStatus(entry, filter.status) ? [entry] : [];
    });
    return filter.limit === undefined ? found : found.slice(-filter.limit);
  }

  count(filter: JournalFilter = {}): number {
    return this.entries(filter).length;
  }

  clear(): void {
    this.store.run("DELETE FROM journal");
  }
}

function isOfStatus({ status }: JournalEntry, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  if (status === null) return wanted === "none";
  return wanted.endsWith("xx") ? wanted.startsWith(String(status).slice(0, 1)) : wanted === String(status);
}

/** Redacts the signature of an upload URL: with it, anybody could upload another tarball. */
function maskSignature(query: JournalEntry["query"]): JournalEntry["query"] {
  return query.signature === undefined ? query : { ...query, signature: query.signature.map(() => masked) };
}
