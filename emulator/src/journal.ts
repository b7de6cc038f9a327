import { limits } from "./limits";
import { pathPattern } from "./patterns";
import type { Store } from "./store";
import { maskSecrets } from "./validation/mask";

/** One request to the service, as the journal tells it. Calls of `/_emulator` are not in the journal. */
export interface JournalEntry {
  id: number;
  time: string;
  method: string;
  path: string;
  query: Record<string, string[]>;
  /** What was answered; null when the connection was closed instead. */
  status: number | null;
  tenant_id: string | null;
  /** The body as sent, secret values masked; null without one. */
  body: unknown;
  /** Unknown fields that were ignored and other remarks. */
  notes: string[];
  /** What a fault did to it. */
  fault: string | null;
}

/** Which entries; a path may hold `*` for any text without a slash and `**` for any text. */
export interface JournalFilter {
  method?: string;
  path?: string;
}

/** The requests that the service received, oldest first. It remembers the newest 10,000. */
export class Journal {
  constructor(private readonly store: Store) {}

  write(at: number, entry: Omit<JournalEntry, "id" | "time">): void {
    const { method, path } = entry;
    const text = JSON.stringify({ ...entry, body: maskSecrets(entry.body) });
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
    const pattern = filter.path === undefined ? undefined : pathPattern(filter.path);
    const method = filter.method?.toUpperCase();
    return this.store.all("SELECT * FROM journal ORDER BY id").flatMap((row) => {
      if (method !== undefined && row.method !== method) return [];
      if (pattern && !pattern.test(String(row.path))) return [];
      const time = new Date(Number(row.at)).toISOString();
      return [{ id: Number(row.id), time, ...JSON.parse(String(row.entry)) }];
    });
  }

  count(filter: JournalFilter = {}): number {
    return this.entries(filter).length;
  }

  clear(): void {
    this.store.run("DELETE FROM journal");
  }
}
