// What 0.1.0-exports/state.json is the state of. The bucket is the emulator's, at the address and with the key of the
// environment.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of agent
// Changed: a-token-of-old to a-token-of-new: credentials.sessionToken of lake
// Changed: cancelSpawned: true to cancelSpawned: false: cancelSpawned of daily
const pulumi = require("@pulumi/pulumi");
const agentgraph = require("pulumi-agentgraph");

const agent = new agentgraph.Deployment("agent", {
  name: "old-exported",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});

const lake = new agentgraph.BulkExportDestination("lake", {
  destinationType: "s3",
  displayName: "lake of old",
  config: {
    bucketName: "exports",
    prefix: "old",
    endpointUrl: process.env.STORY_BUCKET_URL,
    includeBucketInPrefix: true,
    configKwargsS3: { addressing_style: "path" },
  },
  credentials: {
    accessKeyId: "a-bucket-key-of-old",
    secretAccessKey: pulumi.secret("a-bucket-secret-of-old"),
    sessionToken: "a-token-of-old",
  },
});

const aim = { bulkExportDestinationId: lake.id, sessionId: agent.tracingProjectId };
const once = new agentgraph.BulkExport("once", {
  ...aim,
  startTime: "2026-01-01T00:00:00Z",
  endTime: "2026-01-03T00:00:00.000+00:00",
  filter: 'eq(run_type, "llm")',
  exportFields: ["name", "id"],
  compression: "gzip",
  waitFor: "completed",
});
const daily = new agentgraph.ScheduledBulkExport("daily", {
  ...aim,
  startTime: "2100-01-01T00:00:00Z",
  intervalHours: 24,
  cancelSpawned: true,
});
new agentgraph.BulkExport(
  "experiments",
  {
    bulkExportDestinationId: lake.id,
    allExperiments: true,
    startTime: "2026-01-01T00:00:00Z",
    endTime: "2026-01-02T00:00:00Z",
  },
  { customTimeouts: { create: "5m" } },
);

exports.ids = [agent.tracingProjectId, once.id, daily.id, once.rowsWritten];
