/** What the admin API of the emulator returns, as far as the page shows it. */
import type { AgentDescription, ClockReading } from "../../src/runtime/descriptions";

export interface DeploymentRow {
  id: string;
  name: string;
  source: string;
  status: string;
  created_at: string;
  updated_at: string;
  active_revision_id: string | null;
  latest_revision_id: string | null;
  latest_status: string | null;
  latest_created_at: string | null;
  latest_source: string | null;
  active_source: string | null;
  /** What its ownership marker names; null without one. */
  stack: string | null;
  project: string | null;
  resource: string | null;
  revisions: number;
  assistants: number;
  crons: number;
  threads: number;
}

/** An object of an agent server in the list. */
interface ObjectRow {
  id: string;
  deployment_id: string;
  deployment: string | null;
  created_at: string;
  updated_at: string;
  /** JSON, cut to a few hundred characters. */
  metadata: string;
}

/** Default assistants are not in the list, unless they were changed. */
export interface AssistantRow extends ObjectRow {
  graph_id: string;
  name: string;
  version: number;
  crons: number;
}

export interface CronRow extends ObjectRow {
  schedule: string;
  timezone: string | null;
  enabled: 0 | 1;
  next_run_date: string;
  assistant_id: string;
  assistant: string;
}

export interface ThreadRow extends ObjectRow {
  status: string;
  /** The beginning of the last message. */
  last_message: string | null;
}

/** An export or a schedule in the list. Times are microseconds since 1970. */
export interface ExportRow {
  id: string;
  /** The deployment whose project it exports. */
  owner_id: string | null;
  status: string;
  start_time: number;
  end_time: number | null;
  interval_hours: number | null;
  created_at: number;
  finished_at: number | null;
  source_bulk_export_id: string | null;
  all_experiments: 0 | 1;
  project: string | null;
  destination: string | null;
  bucket: string | null;
  runs: number;
  completed_runs: number;
  runs_updated_at: number | null;
}

export interface Rows {
  deployments: DeploymentRow;
  assistants: AssistantRow;
  crons: CronRow;
  threads: ThreadRow;
  exports: ExportRow;
}

export interface ListChange<Row> {
  changed: Row[];
  removed: string[];
}

/** An event of `/_emulator/events`. */
export type Change = { [Name in keyof Rows]: ListChange<Rows[Name]> } & {
  clock: ClockReading;
  faults: Fault[];
  totals: Record<keyof Rows | "requests", number>;
  last_request: number;
};

export interface Buckets {
  url: string;
  access_key_id: string;
  secret_access_key: string;
  buckets: { name: string; objects: number }[];
}

export interface Destination {
  id: string;
  display_name: string;
  config: { bucket_name: string; prefix?: string; endpoint_url?: string | null };
}

export interface Revision {
  id: string;
  status: string;
  created_at: string;
  source_revision_config: Record<string, unknown>;
  status_history: StatusAt[];
  /** What starts its agent; null if the built-in graphs respond. */
  command: string | null;
  /** The process of `--agents`; null for one that the built-in graphs serve, and one that has none. */
  agent: AgentDescription | null;
}

export interface StatusAt {
  status: string;
  at: string;
}

export interface AgentServer {
  /** That of the deployment. */
  name: string;
  /** By name, with the built-in graph that plays each; of a process, its own ones. */
  graphs: Record<string, string>;
  process: AgentDescription | null;
  /** `--agent-auth`. */
  agent_auth: "none" | "key" | "custom";
}

export interface Deployment {
  id: string;
  status: string;
  active_revision_id: string | null;
  source_config: Record<string, unknown>;
  revisions: Revision[];
}

interface ServerObject {
  created_at: string;
  updated_at: string;
  metadata: Record<string, unknown>;
  deployment: { name: string };
}

/** What every version of an assistant has. */
export interface AssistantVersion {
  version: number;
  graph_id: string;
  name: string;
  description: string | null;
  config: Record<string, unknown>;
  context: unknown;
  metadata: Record<string, unknown>;
  created_at: string;
}

export interface Assistant extends AssistantVersion, ServerObject {
  /** Newest first. */
  versions: AssistantVersion[];
}

export interface Cron extends ServerObject, Pick<CronRow, "assistant_id" | "schedule" | "timezone" | "next_run_date"> {
  thread_id: string | null;
  end_time: string | null;
  enabled: boolean;
  on_run_completed: string | null;
  payload: Record<string, unknown>;
}

export interface ExportRun {
  id: string;
  status: string;
  start_time: string;
  retry_number: number;
  errors: Record<string, string> | null;
  metadata: { result: { rows_written: number; exported_files: string[]; export_path: string } | null };
}

export interface Export {
  next_spawn_at?: string;
  filter: string | null;
  runs: ExportRun[];
}

export interface Fault {
  id: number;
  times: number;
  skip: number;
  [property: string]: unknown;
}
