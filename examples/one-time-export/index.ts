import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

const bucket = new agentgraph.BulkExportDestination("audit", {
  destinationType: "s3",
  displayName: "Audit",
  config: { bucketName: config.require("bucket"), prefix: "audit", endpointUrl: config.require("objectStore") },
  credentials: {
    accessKeyId: config.requireSecret("accessKeyId"),
    secretAccessKey: config.requireSecret("secretAccessKey"),
  },
});

// An export cannot be changed: any change here triggers a new export, and the files of the old one are kept.
const errors = new agentgraph.BulkExport(
  "january-errors",
  {
    bulkExportDestinationId: bucket.id,
    sessionId: config.require("projectId"),
    startTime: "2026-01-01T00:00:00Z",
    endTime: "2026-02-01T00:00:00Z",
    filter: "and(eq(is_root, true), neq(error, null))",
    exportFields: ["id", "trace_id", "name", "start_time", "end_time", "error", "tags", "total_cost"],
    waitFor: "completed",
  },
  { customTimeouts: { create: "6h" } },
);

export const rows = errors.rowsWritten;
