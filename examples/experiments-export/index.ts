import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

const bucket = new agentgraph.BulkExportDestination("evaluations", {
  destinationType: "s3",
  displayName: "Evaluations",
  config: { bucketName: config.require("bucket"), prefix: "evaluations", endpointUrl: config.require("objectStore") },
  credentials: {
    accessKeyId: config.requireSecret("accessKeyId"),
    secretAccessKey: config.requireSecret("secretAccessKey"),
  },
});

// Each weekly export covers the experiments that exist at that time. Leaving out inputs and outputs keeps the files small.
const weekly = new agentgraph.ScheduledBulkExport("weekly-scores", {
  bulkExportDestinationId: bucket.id,
  allExperiments: true,
  startTime: `${config.require("since")}T00:00:00Z`,
  intervalHours: 7 * 24,
  exportFields: ["id", "session_id", "reference_example_id", "name", "start_time", "status", "feedback_stats"],
});

export const schedule = weekly.id;
