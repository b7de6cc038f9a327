/** The type of a column; the Parquet writer maps each kind to its own types. */
export type ColumnKind = "string" | "uuid" | "timestamp" | "int" | "double" | "boolean" | "strings" | "json";

export interface Column {
  name: string;
  group: string;
  kind: ColumnKind;
  nullable: boolean;
}

const identifiers = "Identifiers and hierarchy";
const basics = "Basic metadata";
const data = "Run data";
const labels = "Tags and feedback";
const costs = "Tokens and cost";

/** Every exportable field of a trace run, in the order of API `2C.Exportable fields`. */
export const columns = [
  { name: "id", group: identifiers, kind: "uuid", nullable: false },
  { name: "tenant_id", group: identifiers, kind: "uuid", nullable: false },
  { name: "session_id", group: identifiers, kind: "uuid", nullable: false },
  { name: "trace_id", group: identifiers, kind: "uuid", nullable: false },
  { name: "parent_run_id", group: identifiers, kind: "uuid", nullable: true },
  { name: "parent_run_ids", group: identifiers, kind: "strings", nullable: false },
  { name: "reference_example_id", group: identifiers, kind: "uuid", nullable: true },
  { name: "name", group: basics, kind: "string", nullable: false },
  { name: "run_type", group: basics, kind: "string", nullable: false },
  { name: "start_time", group: basics, kind: "timestamp", nullable: false },
  { name: "end_time", group: basics, kind: "timestamp", nullable: true },
  { name: "status", group: basics, kind: "string", nullable: false },
  { name: "is_root", group: basics, kind: "boolean", nullable: false },
  { name: "dotted_order", group: basics, kind: "string", nullable: false },
  { name: "trace_tier", group: basics, kind: "string", nullable: true },
  { name: "inputs", group: data, kind: "json", nullable: true },
  { name: "outputs", group: data, kind: "json", nullable: true },
  { name: "error", group: data, kind: "string", nullable: true },
  { name: "extra", group: data, kind: "json", nullable: true },
  { name: "events", group: data, kind: "json", nullable: true },
  { name: "tags", group: labels, kind: "strings", nullable: true },
  { name: "feedback_stats", group: labels, kind: "json", nullable: true },
  { name: "total_tokens", group: costs, kind: "int", nullable: true },
  { name: "prompt_tokens", group: costs, kind: "int", nullable: true },
  { name: "completion_tokens", group: costs, kind: "int", nullable: true },
  { name: "total_cost", group: costs, kind: "double", nullable: true },
  { name: "prompt_cost", group: costs, kind: "double", nullable: true },
  { name: "completion_cost", group: costs, kind: "double", nullable: true },
  { name: "first_token_time", group: costs, kind: "timestamp", nullable: true },
] as const satisfies readonly Column[];

/** Fields that an export contains only where it names them (API `2C.Exportable fields:feedbacks`). */
export const newerColumns = [
  { name: "feedbacks", group: labels, kind: "json", nullable: true },
] as const satisfies readonly Column[];
