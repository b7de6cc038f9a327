/** What the admin API of the emulator returns about assistants and crons, as far as the page shows it. */

/** An assistant in the list; default ones are not, unless they were changed. */
export interface AssistantRow {
  id: string;
  deployment_id: string;
  deployment: string | null;
  graph_id: string;
  name: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** JSON, cut to a few hundred characters. */
  metadata: string;
  crons: number;
}

/** A cron in the list. */
export interface CronRow {
  id: string;
  deployment_id: string;
  deployment: string | null;
  schedule: string;
  timezone: string | null;
  /** 1 or 0. */
  enabled: number;
  next_run_date: string;
  created_at: string;
  updated_at: string;
  assistant_id: string;
  assistant: string;
  /** JSON, cut to a few hundred characters. */
  metadata: string;
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

export interface Assistant extends AssistantVersion {
  assistant_id: string;
  updated_at: string;
  deployment: { id: string; name: string };
  /** Newest first. */
  versions: AssistantVersion[];
}

export interface Cron {
  assistant_id: string;
  thread_id: string | null;
  schedule: string;
  timezone: string | null;
  end_time: string | null;
  enabled: boolean;
  on_run_completed: string | null;
  next_run_date: string;
  created_at: string;
  updated_at: string;
  metadata: Record<string, unknown>;
  payload: Record<string, unknown>;
  deployment: { id: string; name: string };
}
