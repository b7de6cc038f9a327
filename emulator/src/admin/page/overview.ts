import { openSecrets } from "../../control-plane/model/secrets";
import type { Context } from "../../runtime/context";
import type { ClockReading } from "../../runtime/descriptions";
import type { StoredFault } from "../../runtime/faults";
import type { Row, Store } from "../../runtime/storage/store";

/**
 * How many objects of a kind an overview contains at most: the newest ones, and before them all exports that have not
 * ended. It contains all deployments.
 */
const overviewLimit = 500;

/** A default assistant as its server created it: each graph has one, and they would hide the others. */
const untouchedDefault = 'a.version = 1 AND a.metadata = \'{"created_by":"system"}\'';

/** What the page lists: one row per resource, with the columns that it shows. */
const lists = {
  deployments: `
    SELECT d.id, d.name, d.tenant_id, d.source, d.status, d.created_at, d.active_revision_id, d.latest_revision_id,
      d.secrets,
      max(d.updated_at, coalesce(latest.updated_at, '')) AS updated_at,
      latest.status AS latest_status, latest.created_at AS latest_created_at,
      coalesce(latest.source_revision_config ->> 'image_uri',
      latest.source_revision_config ->> 'repo_commit_sha') AS latest_source,
      coalesce(active.source_revision_config ->> 'image_uri',
      active.source_revision_config ->> 'repo_commit_sha') AS active_source,
      (SELECT count(*) FROM revisions WHERE deployment_id = d.id) AS revisions,
      (SELECT count(*) FROM assistants a WHERE a.deployment_id = d.id AND NOT (${untouchedDefault})) AS assistants,
      (SELECT count(*) FROM crons WHERE deployment_id = d.id) AS crons,
      (SELECT count(*) FROM threads WHERE deployment_id = d.id) AS threads,
      (SELECT max(id) FROM logs WHERE revision_id IN (d.latest_revision_id, d.active_revision_id)) AS last_log_line
    FROM deployments d
      LEFT JOIN revisions latest ON latest.id = d.latest_revision_id
      LEFT JOIN revisions active ON active.id = d.active_revision_id
    ORDER BY d.seq`,
  assistants: `
    SELECT a.id, a.deployment_id, d.name AS deployment, a.graph_id, substr(a.name, 1, 200) AS name, a.version,
      a.created_at, a.updated_at,
      substr(a.metadata, 1, 300) AS metadata, (SELECT count(*) FROM crons WHERE assistant = a.seq) AS crons
    FROM assistants a LEFT JOIN deployments d ON d.id = a.deployment_id
    WHERE NOT (${untouchedDefault}) ORDER BY a.seq DESC LIMIT ${overviewLimit}`,
  crons: `
    SELECT c.id, c.deployment_id, d.name AS deployment, substr(c.schedule, 1, 200) AS schedule, c.timezone, c.enabled,
      c.next_run_date,
      c.created_at, c.updated_at, a.id AS assistant_id, substr(a.name, 1, 200) AS assistant,
      substr(c.metadata, 1, 300) AS metadata
    FROM crons c JOIN assistants a ON a.seq = c.assistant LEFT JOIN deployments d ON d.id = c.deployment_id
    ORDER BY c.seq DESC LIMIT ${overviewLimit}`,
  threads: `
    SELECT t.id, t.deployment_id, d.name AS deployment, t.status, t.created_at, t.updated_at,
      substr(t.metadata, 1, 300) AS metadata,
      t.head AS checkpoint
    FROM threads t LEFT JOIN deployments d ON d.id = t.deployment_id
    ORDER BY t.seq DESC LIMIT ${overviewLimit}`,
  exports: `
    SELECT e.id, e.tenant_id, owner.id AS owner_id, e.status, e.start_time, e.end_time, e.interval_hours,
      e.created_at, e.updated_at, e.finished_at,
      e.source_bulk_export_id, e.all_experiments, p.name AS project, d.display_name AS destination,
      d.config ->> 'bucket_name' AS bucket,
      (SELECT count(*) FROM export_runs WHERE bulk_export_id = e.id) AS runs,
      (SELECT count(*) FROM export_runs WHERE bulk_export_id = e.id AND status = 'COMPLETED') AS completed_runs,
      (SELECT max(updated_at) FROM export_runs WHERE bulk_export_id = e.id) AS runs_updated_at
    FROM exports e LEFT JOIN destinations d ON d.id = e.bulk_export_destination_id
      LEFT JOIN projects p ON p.id = e.session_id AND p.tenant_id = e.tenant_id
      LEFT JOIN deployments owner ON owner.tenant_id = p.tenant_id AND owner.name = p.name
    ORDER BY e.finished_at IS NOT NULL, e.seq DESC LIMIT ${overviewLimit}`,
} as const;

type ListName = keyof typeof lists;

/** The rows of a list that are new or changed, and the IDs of those that are no longer in it. */
interface ListChange {
  changed: Row[];
  removed: string[];
}

/** One event: what changed since the previous one. */
export interface OverviewChange extends Record<ListName, ListChange> {
  clock: ClockReading;
  faults: StoredFault[];
  /** How many exist, which may be more than the list contains. */
  totals: Record<ListName | "requests", number>;
  /** The ID of the newest request in the log; 0 if it is empty. */
  last_request: number;
}

/** A row and its text, by which changes are found. */
interface KnownRow {
  row: Row;
  text: string;
}

/** What the page shows of an emulator, and what changed in it since the previous call of `nextChange`. */
export class Overview {
  private readonly known: Record<ListName, Map<string, KnownRow>> = {
    deployments: new Map(),
    assistants: new Map(),
    crons: new Map(),
    threads: new Map(),
    exports: new Map(),
  };
  private rest: Pick<OverviewChange, "faults" | "totals" | "last_request"> | undefined;
  private version: number | undefined;

  constructor(private readonly context: Pick<Context, "store" | "clock" | "faults" | "secretBox">) {}

  /** Returns all rows first, and then only the changes; undefined if nothing changed. */
  nextChange(): OverviewChange | undefined {
    const version = versionOf(this.context);
    if (version === this.version) return undefined;
    this.version = version;
    this.rest = this.readRest();
    return {
      deployments: this.listChange("deployments"),
      assistants: this.listChange("assistants"),
      crons: this.listChange("crons"),
      threads: this.listChange("threads"),
      exports: this.listChange("exports"),
      clock: this.context.clock.read(),
      ...this.rest,
    };
  }

  /** Returns all rows as of the last change. */
  everything(): OverviewChange {
    const list = (name: ListName) => ({ changed: [...this.known[name].values()].map(({ row }) => row), removed: [] });
    this.rest ??= this.readRest();
    return {
      deployments: list("deployments"),
      assistants: list("assistants"),
      crons: list("crons"),
      threads: list("threads"),
      exports: list("exports"),
      clock: this.context.clock.read(),
      ...this.rest,
    };
  }

  private readRest() {
    const { store, faults } = this.context;
    const { first, last } = requestRange(store);
    const count = (table: string) => Number(store.get(`SELECT count(*) AS count FROM ${table}`)?.count);
    return {
      faults: faults.list(),
      totals: {
        deployments: count("deployments"),
        assistants: count(`assistants a WHERE NOT (${untouchedDefault})`),
        crons: count("crons"),
        threads: count("threads"),
        exports: count("exports"),
        // The log has no gaps, and counting its rows would read all of them.
        requests: last === 0 ? 0 : last - first + 1,
      },
      last_request: last,
    };
  }

  private listChange(name: ListName): ListChange {
    const { store } = this.context;
    const known = this.known[name];
    const rows = new Map(store.all(lists[name]).map((row) => [keyOf(row), row]));
    const removed = [...known.keys()].filter((id) => !rows.has(id));
    for (const id of removed) known.delete(id);
    const changed: Row[] = [];
    for (const [id, row] of rows) {
      const text = JSON.stringify(row);
      if (known.get(id)?.text === text) continue;
      const shown = this.complete(name, row);
      known.set(id, { row: shown, text });
      changed.push(shown);
    }
    return { changed, removed };
  }

  /** Adds what takes long to read, so that only new and changed rows have it. */
  private complete(name: ListName, row: Row): Row {
    if (name === "threads") return { ...row, last_message: lastMessage(this.context.store, row) };
    if (name !== "deployments") return row;
    const { secrets: sealed, ...shown } = row;
    const secrets = openSecrets(this.context, String(row.id), String(sealed));
    const owner = secrets.find((secret) => secret.name === "PULUMI_RESOURCE")?.value ?? "";
    const [, stack = null, project = null, resource = null] = marker.exec(owner) ?? [];
    return { ...shown, stack, project, resource };
  }
}

/** What the ownership marker of a deployment names: `owner/urn:pulumi:stack::project::type::name`. */
const marker = /urn:pulumi:([^:]+)::([^:]+)::.*::(.+)$/;

/** Changes with every row that this process inserts, updates or deletes. */
function versionOf({ store }: Pick<Context, "store">): number {
  return Number(store.get("SELECT total_changes() AS version")?.version);
}

/** Threads of several deployments may have the same ID. */
function keyOf({ id, deployment_id }: Row): string {
  return deployment_id === undefined ? String(id) : `${deployment_id}/${id}`;
}

/** Returns the beginning of a thread's last message. Parsing a state takes long, so only changed threads have it. */
function lastMessage(store: Store, { checkpoint }: Row): string | null {
  if (checkpoint == null) return null;
  const sql = "SELECT substr(state -> '$.messages[#-1]' ->> 'content', 1, 200) AS text FROM checkpoints WHERE seq = ?";
  const text = store.get(sql, checkpoint)?.text;
  return typeof text === "string" ? text : null;
}

/** Returns the oldest and the newest ID in the request log, or 0 if it is empty. */
function requestRange(store: Store): { first: number; last: number } {
  const row = store.get("SELECT (SELECT min(id) FROM request_log) AS first, (SELECT max(id) FROM request_log) AS last");
  return { first: Number(row?.first ?? 0), last: Number(row?.last ?? 0) };
}
