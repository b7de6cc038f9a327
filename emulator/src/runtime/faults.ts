import { ApiError } from "./errors";
import type { Row, Store } from "./storage/store";
import { matchesPath } from "./text/glob";

/** A trouble with the next requests that match. */
export interface RequestFault {
  /** Default: any method. */
  method?: string;
  /** Default: any path. `*` stands for any text without a slash, `**` for any text. */
  path?: string;
  /** Answer this instead of acting. */
  status?: number;
  /** With `status`: the body, JSON or a text (then text/html unless `headers` says otherwise). */
  body?: unknown;
  headers?: Record<string, string>;
  /** With `status`: act and commit, then answer the status all the same. */
  act?: boolean;
  /** Real milliseconds to wait before acting. */
  delay_ms?: number;
  /** `refuse`: closed before any byte; `reset-before`: reset, nothing done; `reset-after`: done, then reset without an answer. */
  connection?: "refuse" | "reset-before" | "reset-after";
}

/** How the next revisions go. */
export interface RevisionFault {
  /** Name of the deployment; default any. */
  deployment?: string;
  /** The status the revision ends in. */
  ends?: string;
  /** Instead of `ends`: every status after CREATING, in order, any words. */
  statuses?: string[];
  /** Log lines written with the end; a text is a line of level ERROR. */
  logs?: (string | { level: string; message: string })[];
}

/** Revisions that reach the status stay there until the hold is deleted. */
export interface Hold {
  deployment?: string;
  status: string;
}

/** How the next attempts of runs of exports go. */
export interface ExportRunFault {
  /** Id of the export; default any. */
  export?: string;
  /** Date of the run, like 2026-01-31; default any. */
  day?: string;
  /** The attempt fails at once, with this error. */
  error?: string;
  /** The attempt never ends by itself. */
  stalls?: boolean;
}

/** What `POST /_emulator/faults` takes. */
export type Fault = {
  /** How many times; default 1. A hold lasts until it is deleted. */
  times?: number;
  /** How many matches to let pass first; default 0. */
  skip?: number;
} & (RequestFault | { revision: RevisionFault } | { hold: Hold } | { export_run: ExportRunFault });

/** What `GET /_emulator/faults` lists. */
export type StoredFault = Fault & { id: number; times: number; skip: number };

const kinds = ["revision", "hold", "export_run"] as const;
type Kind = "request" | (typeof kinds)[number];

/** The troubles that wait for their moment. */
export class Faults {
  /** Called when holds were lifted. */
  onRelease: () => void = () => {};

  constructor(private readonly store: Store) {}

  add(fault: Fault): StoredFault {
    const { times = 1, skip = 0, ...rest } = fault;
    const kind: Kind = kinds.find((name) => name in fault) ?? "request";
    const sql = "INSERT INTO faults (kind, skip, remaining, fault) VALUES (?, ?, ?, ?)";
    const id = this.store.run(sql, kind, skip, times, JSON.stringify(rest));
    return { ...fault, id, times, skip };
  }

  list(): StoredFault[] {
    return this.store.all("SELECT * FROM faults ORDER BY id").map(toFault);
  }

  /** Deletes one fault, or all. */
  remove(id?: number): void {
    if (id === undefined) this.store.run("DELETE FROM faults");
    else if (this.store.get("SELECT id FROM faults WHERE id = ?", id))
      this.store.run("DELETE FROM faults WHERE id = ?", id);
    else throw new ApiError(404, `There is no fault ${id}`);
    this.onRelease();
  }

  /** Takes the oldest fault for this request, if there is one. */
  takeForRequest(method: string, path: string): RequestFault | undefined {
    return this.take<RequestFault>("request", (fault) => {
      if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
      return fault.path === undefined || matchesPath(fault.path, path);
    });
  }

  /** Takes the oldest fault for a new revision of this deployment, if there is one. */
  takeForRevision(deployment: string): RevisionFault | undefined {
    type Stored = { revision: RevisionFault };
    return this.take<Stored>("revision", ({ revision }) => (revision.deployment ?? deployment) === deployment)
      ?.revision;
  }

  /** Takes the oldest fault for an attempt of a run of this export, if there is one. */
  takeForExportRun(id: string, date: string): ExportRunFault | undefined {
    type Stored = { export_run: ExportRunFault };
    const matches = ({ export: only = id, day = date }: ExportRunFault) => only === id && day === date;
    return this.take<Stored>("export_run", ({ export_run }) => matches(export_run))?.export_run;
  }

  /** Whether any waits for an attempt of a run of an export. */
  awaitExportRuns(): boolean {
    return this.store.get("SELECT 1 AS found FROM faults WHERE kind = 'export_run' LIMIT 1") !== undefined;
  }

  isHeld(deployment: string, status: string): boolean {
    const holds = this.list().flatMap((fault) => ("hold" in fault ? [fault.hold] : []));
    return holds.some((hold) => hold.status === status && (hold.deployment ?? deployment) === deployment);
  }

  private take<F>(kind: Kind, matches: (fault: F) => boolean): F | undefined {
    for (const row of this.store.all("SELECT * FROM faults WHERE kind = ? ORDER BY id", kind)) {
      const fault: F = JSON.parse(String(row.fault));
      if (!matches(fault)) continue;
      if (this.count(row)) return fault;
    }
    return undefined;
  }

  /** Counts one match; true when it is one of those that get the trouble. */
  private count(row: Row): boolean {
    const id = row.id ?? null;
    if (Number(row.skip) > 0) {
      this.store.run("UPDATE faults SET skip = skip - 1 WHERE id = ?", id);
      return false;
    }
    if (Number(row.remaining) > 1) this.store.run("UPDATE faults SET remaining = remaining - 1 WHERE id = ?", id);
    else this.store.run("DELETE FROM faults WHERE id = ?", id);
    return true;
  }
}

function toFault(row: Row): StoredFault {
  return { id: Number(row.id), times: Number(row.remaining), skip: Number(row.skip), ...JSON.parse(String(row.fault)) };
}
