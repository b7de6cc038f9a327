/** Known values of fields that accept any string. They appear in editors only, since newer servers may know more. */
import { z } from "zod";
import { fieldMetadata } from "../schema/schema";

/** Keyed by the type that programs import (API `2A`, `2C` and `3`). */
export const KNOWN_VALUES = {
  DeploymentSource: ["githost", "external_docker", "internal_docker", "internal_source", "internal_template"],
  DeploymentType: ["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"],
  AgentEnvironment: ["development", "staging", "production"],
  DeploymentStatus: ["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "UNKNOWN"],
  RevisionStatus: [
    ...["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"],
    ...["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED", "UNKNOWN"],
  ],
  ThreadStatus: ["idle", "busy", "interrupted", "error"],
  /** INTERVALSCHEDULED is a schedule between two exports. */
  BulkExportStatus: ["CREATED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED", "TIMEDOUT", "INTERVALSCHEDULED"],
  ThreadTtlStrategy: ["delete", "keep_latest"],
  CronMultitaskStrategy: ["enqueue", "reject", "interrupt", "rollback"],
  CronOnRunCompleted: ["delete", "keep"],
  CronDurability: ["sync", "async", "exit"],
  CronStreamMode: [
    ...["values", "messages", "messages-tuple", "updates", "events"],
    ...["tasks", "checkpoints", "debug", "custom"],
  ],
  BulkExportDestinationType: ["s3"],
  S3AddressingStyle: ["auto", "virtual", "path"],
  BulkExportFormat: ["Parquet"],
  BulkExportFormatVersion: ["v1", "v2_beta"],
  BulkExportCompression: ["none", "gzip", "snappy", "zstandard"],
  /** In the order of the interface. */
  BulkExportField: [
    ...["id", "tenant_id", "session_id", "trace_id", "parent_run_id", "parent_run_ids", "reference_example_id"],
    ...["name", "run_type", "start_time", "end_time", "status", "is_root", "dotted_order", "trace_tier"],
    ...["inputs", "outputs", "error", "extra", "events"],
    ...["tags", "feedback_stats"],
    ...["total_tokens", "prompt_tokens", "completion_tokens", "total_cost", "prompt_cost", "completion_cost"],
    ...["first_token_time", "feedbacks"],
  ],
} as const satisfies Record<string, readonly string[]>;
export type KnownValueType = keyof typeof KNOWN_VALUES;

export const KNOWN_VALUES_DESCRIPTION = "Known values. A newer server may use others.";

/** What an export contains that names no fields. */
export const EXPORT_FIELDS: readonly string[] = KNOWN_VALUES.BulkExportField.filter((field) => field !== "feedbacks");

/** A string field whose known values appear in editors. Programs may set, and receive, any other value. */
export const knownValue = (type: KnownValueType) => z.string().min(1).register(fieldMetadata, { knownValues: type });
