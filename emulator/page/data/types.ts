/** What the admin API of the emulator returns, as far as the page shows it. */
import type { AssistantRow, CronRow } from "./assistant-types";

/** A deployment in the list. */
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
  last_log_line: number | null;
}

/** A thread in the list. */
export interface ThreadRow {
  id: string;
  deployment_id: string;
  deployment: string | null;
  status: string;
  created_at: string;
  updated_at: string;
  /** JSON, cut to a few hundred characters. */
  metadata: string;
  checkpoint: number | null;
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
  /** 1 for an export of all experiments. */
  all_experiments: number;
  project: string | null;
  destination: string | null;
  bucket: string | null;
  runs: number;
  completed_runs: number;
  runs_updated_at: number | null;
}

/** The buckets of the emulator, and how to access them. */
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

/** An event of `/_emulator/events`. */
export interface Change {
  deployments: { changed: DeploymentRow[]; removed: string[] };
  assistants: { changed: AssistantRow[]; removed: string[] };
  crons: { changed: CronRow[]; removed: string[] };
  threads: { changed: ThreadRow[]; removed: string[] };
  exports: { changed: ExportRow[]; removed: string[] };
  clock: Clock;
  faults: Fault[];
  totals: Record<"deployments" | "assistants" | "crons" | "threads" | "exports" | "requests", number>;
  last_request: number;
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
  agent: AgentProcess | null;
}

/** The agent server of a deployment. */
export interface AgentServer {
  /** That of the deployment. */
  name: string;
  /** By name, with the built-in graph that plays each; of a process, its own ones. */
  graphs: Record<string, string>;
  process: AgentProcess | null;
  /** `--agent-auth`. */
  agent_auth: "none" | "key" | "custom";
}

export interface Deployment {
  id: string;
  name: string;
  status: string;
  active_revision_id: string | null;
  latest_revision_id: string | null;
  source_config: Record<string, unknown>;
  secrets: { name: string; value: string }[];
  revisions: Revision[];
}

export interface LogLine {
  id: number;
  time: string;
  revision_id: string;
  type: string;
  level: string;
  message: string;
}

export interface ExportRun {
  id: string;
  status: string;
  start_time: string;
  retry_number: number;
  errors: Record<string, string> | null;
  metadata: { prefix: string; result: { rows_written: number; exported_files: string[]; export_path: string } | null };
}

export interface Export {
  id: string;
  status: string;
  start_time: string;
  end_time: string | null;
  interval_hours: number | null;
  next_spawn_at?: string;
  format: string;
  filter: string | null;
  runs: ExportRun[];
}

/** An entry with its bodies. */
export interface RequestDetail extends RequestEntry {
  request_body: unknown;
  response_body: unknown;
  has_secrets: boolean;
}

export interface Clock {
  now: string;
  frozen: boolean;
  speed: number | "instant";
}

export interface Fault {
  id: number;
  times: number;
  skip: number;
  [property: string]: unknown;
}

export interface AgentProcess {
  status: "starting" | "healthy" | "restarting" | "ending";
  command: string;
  port: number | null;
  pid: number | null;
  restarts: number;
  last_exit: string | null;
}

export interface StatusAt {
  status: string;
  at: string;
}

export interface RequestEntry {
  id: number;
  time: string;
  method: string;
  path: string;
  query: Record<string, string[]>;
  status: number | null;
  notes: string[];
  fault: string | null;
  operation: string | null;
  client: string | null;
  duration_ms: number;
  resources: string[];
}
