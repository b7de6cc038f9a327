import { ApiError } from "./errors";
import type { commonFaultFields, FaultKind, FaultPart, faultFields } from "./fault-fields";
import type { Row, Store } from "./storage/store";
import { matchesPath } from "./text/glob";

/** A fault injected into the next matching requests: a status, a delay or a lost connection. */
export type RequestFault = FaultPart<typeof faultFields.request>;

/** The outcome of the next revisions. A log line that is a string has the level ERROR. */
export type RevisionFault = Omit<FaultPart<typeof faultFields.revision>, "logs"> & {
  logs?: (string | { level: string; message: string })[];
};

/** Revisions that reach the status stay in it until the hold is deleted. */
export type Hold = FaultPart<typeof faultFields.hold>;

/** The outcome of the next attempts of export runs. */
export type ExportRunFault = FaultPart<typeof faultFields.export_run>;

/** The request body of `POST /_emulator/faults`: what applies, how often, and how many matches to skip first. */
export type Fault = FaultPart<typeof commonFaultFields> &
  (RequestFault | { revision: RevisionFault } | { hold: Hold } | { export_run: ExportRunFault });

/** An entry of the response of `GET /_emulator/faults`. */
export type StoredFault = Fault & { id: number; times: number; skip: number };

const kinds = ["revision", "hold", "export_run"] as const satisfies FaultKind[];

/** Faults that have not been used up yet. */
export class Faults {
  /** Called after faults were removed, because a removed hold lets revisions continue. */
  onRelease: () => void = () => {};

  constructor(private readonly store: Store) {}

  add(fault: Fault): StoredFault {
    const { times = 1, skip = 0, ...rest } = fault;
    const kind: FaultKind = kinds.find((name) => name in fault) ?? "request";
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

  private take<F>(kind: FaultKind, matches: (fault: F) => boolean): F | undefined {
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
