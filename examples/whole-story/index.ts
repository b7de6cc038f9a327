import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

const agent = new agentgraph.Deployment("concierge", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/concierge:2.0.0" },
});

const guest = new agentgraph.Thread("guest", {
  deploymentId: agent.id,
  metadata: { graph_id: "echo", audience: "guests" },
  supersteps: [{ updates: [{ asNode: "__start__", values: { messages: [{ role: "user", content: "Hello" }] } }] }],
});

const bucket = new agentgraph.BulkExportDestination("lake", {
  destinationType: "s3",
  displayName: "Conversations",
  config: { bucketName: config.require("bucket"), prefix: "conversations", endpointUrl: config.require("objectStore") },
  credentials: {
    accessKeyId: config.requireSecret("accessKeyId"),
    secretAccessKey: config.requireSecret("secretAccessKey"),
  },
});

export const [url, thread] = [guest.url, guest.id];

// To export the traces later, run `pulumi config set exportUntil 2026-02-01` and `pulumi up`.
const until = config.get("exportUntil");
export const rows =
  until &&
  new agentgraph.BulkExport("traces", {
    bulkExportDestinationId: bucket.id,
    sessionId: agent.tracingProjectId,
    startTime: `${config.require("exportSince")}T00:00:00Z`,
    endTime: `${until}T00:00:00Z`,
    waitFor: "completed",
  }).rowsWritten;
