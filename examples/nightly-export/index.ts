import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: config.require("image") },
});

const bucket = new agentgraph.BulkExportDestination("lake", {
  destinationType: "s3",
  displayName: "Data lake",
  config: { bucketName: config.require("bucket"), prefix: "traces", endpointUrl: config.require("objectStore") },
  credentials: {
    accessKeyId: config.requireSecret("accessKeyId"),
    secretAccessKey: config.requireSecret("secretAccessKey"),
  },
});

// Exports the previous day ten minutes after midnight UTC. Days since `since` are exported immediately.
const nightly = new agentgraph.ScheduledBulkExport("nightly", {
  bulkExportDestinationId: bucket.id,
  sessionId: agent.tracingProjectId,
  startTime: `${config.require("since")}T00:00:00Z`,
  intervalHours: 24,
  compression: "zstandard",
  cancelSpawned: true,
});

export const schedule = nightly.id;
