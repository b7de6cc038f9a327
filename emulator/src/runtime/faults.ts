import { ApiError } from "./errors";
import type { Row, Store } from "./storage/store";
import { matchesPath } from "./text/glob";

/** A fault injected into the next matching requests. */
export interface RequestFault {
  /** Default: any method. */
  method?: string;
  /** Default: any path. `*` matches any text without a slash, `**` any text. */
  path?: string;
  /** Respond with this status instead of executing the request. */
  status?: number;
  /** With `status`: the body, as JSON or a string (text/html unless `headers` sets another type). */
  body?: unknown;
  headers?: Record<string, string>;
  /** With `status`: execute and commit the request, then respond with the status anyway. */
  act?: boolean;
  /** Real milliseconds to wait before executing the request. */
  delay_ms?: number;
  /**
   * `refuse`: close before any byte; `reset-before`: reset without executing; `reset-after`: execute, then reset
   * without a response.
   */
  connection?: "refuse" | "reset-before" | "reset-after";
}

/** The outcome of the next revisions. */
export interface RevisionFault {
  /** Name of the deployment. Default: any. */
  deployment?: string;
  /** The final status of the revision. */
  ends?: string;
  /** Instead of `ends`: every status after CREATING, in order. Any value is allowed. */
  statuses?: string[];
  /** Log lines written with the final status; a string is a line of level ERROR. */
  logs?: (string | { level: string; message: string })[];
}

/** Revisions that reach the status stay in it until the hold is deleted. */
export interface Hold {
  deployment?: string;
  status: string;
}

/** The outcome of the next attempts of export runs. */
export interface ExportRunFault {
  /** ID of the export. Default: any. */
  export?: string;
  /** Date of the run, such as 2026-01-31. Default: any. */
  day?: string;
  /** The attempt fails immediately with this error. */
  error?: string;
  /** The attempt hangs until it times out. */
  stalls?: boolean;
}

/** The request body of `POST /_emulator/faults`. */
export type Fault = {
  /** How often the fault applies. Default: 1. A hold lasts until it is deleted. */
  times?: number;
  /** How many matches to skip first. Default: 0. */
  skip?: number;
} & (RequestFault | { revision: RevisionFault } | { hold: Hold } | { export_run: ExportRunFault });

/** An entry of the response of `GET /_emulator/faults`. */
export type StoredFault = Fault & { id: number; times: number; skip: number };

const kinds = ["revision", "hold", "export_run"] as const;
type Kind = "request" | (typeof kinds)[number];

/** Faults that have not been used up yet. */
export class Faults {
  /** Called after faults were removed, because a removed hold lets revisions continue. */
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

  /** Deletes one fault, or all faults. @throws ApiError 404 if the ID does not exist. */
  remove(id?: number): void {
    if (id === undefined) this.store.run("DELETE FROM faults");
    else if (this.store.get("SELECT id FROM faults WHERE id = ?", id))
      this.store.run("DELETE FROM faults WHERE id = ?", id);
    else throw new ApiError(404, `Fault ${id} does not exist`);
    this.onRelease();
  }

  /** Uses up one match of the oldest fault for this request. */
  takeForRequest(method: string, path: string): RequestFault | undefined {
    return this.take<RequestFault>("request", (fault) => {
      if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
      return fault.path === undefined || matchesPath(fault.path, path);
    });
  }

  /** Uses up one match of the oldest fault for a new revision of this deployment. */
  takeForRevision(deployment: string): RevisionFault | undefined {
    type Stored = { revision: RevisionFault };
    return this.take<Stored>("revision", ({ revision }) => (revision.deployment ?? deployment) === deployment)
      ?.revision;
  }

  /** Uses up one match of the oldest fault for an attempt of a run of this export. */
  takeForExportRun(id: string, date: string): ExportRunFault | undefined {
    type Stored = { export_run: ExportRunFault };
    const matches = ({ export: exportId = id, day = date }: ExportRunFault) => exportId === id && day === date;
    return this.take<Stored>("export_run", ({ export_run }) => matches(export_run))?.export_run;
  }

  hasExportRunFaults(): boolean {
    return this.store.get("SELECT 1 FROM faults WHERE kind = 'export_run' LIMIT 1") !== undefined;
  }

  isOnHold(deployment: string, status: string): boolean {
    const holds = this.list().flatMap((fault) => ("hold" in fault ? [fault.hold] : []));
    return holds.some((hold) => hold.status === status && (hold.deployment ?? deployment) === deployment);
  }

  private take<F>(kind: Kind, matches: (fault: F) => boolean): F | undefined {
    for (const row of this.store.all("SELECT * FROM faults WHERE kind = ? ORDER BY id", kind)) {
      const fault: F = JSON.parse(String(row.fault));
      if (!matches(fault)) continue;
      if (this.consume(row)) return fault;
    }
    return undefined;
  }

  /** Counts one match. Returns whether the fault applies to it. */
  private consume(row: Row): boolean {
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
