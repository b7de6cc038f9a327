// What 0.1.0-agent-service/state.json is the state of: a component with all that it may create.
// Changed: prompt of old to prompt of new: context.prompt of support-concierge
// Changed: 0 3 * * * to 0 4 * * *: schedule of support-summary-cron
// Changed: a-token-of-old to a-token-of-new: credentials.sessionToken of support-destination
// Changed: cancelSpawned: true to cancelSpawned: false: cancelSpawned of support-export
const pulumi = require("@pulumi/pulumi");
const agentgraph = require("pulumi-agentgraph");

const support = new agentgraph.AgentService("support", {
  deployment: {
    name: "old-service",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
    secrets: { MODEL_API_KEY: pulumi.secret("a model key of old") },
  },
  assistants: { concierge: { graphId: "echo", context: { prompt: "prompt of old" } }, porter: { graphId: "echo" } },
  crons: {
    summary: {
      assistant: "concierge",
      schedule: "0 3 * * *",
      enabled: false,
      input: { messages: [{ role: "user", content: "Sum up." }] },
    },
  },
  thread: { metadata: { team: "support" } },
  nightlyExport: {
    startTime: "2100-01-01T00:00:00Z",
    cancelSpawned: true,
    destination: {
      destinationType: "s3",
      displayName: "lake of old",
      adoptExisting: true,
      config: { bucketName: "exports", prefix: "old", endpointUrl: process.env.STORY_BUCKET_URL },
      credentials: {
        accessKeyId: "a-bucket-key-of-old",
        secretAccessKey: pulumi.secret("a-bucket-secret-of-old"),
        sessionToken: "a-token-of-old",
      },
    },
  },
});

exports.ids = [support.deploymentId, support.assistantIds, support.cronIds, support.threadId, support.nightlyExportId];
