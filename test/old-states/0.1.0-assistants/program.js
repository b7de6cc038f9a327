// What 0.1.0-assistants/state.json is the state of.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of agent
// Changed: prefix of old to prefix of new: context.prefix of whole
// Changed: 0 3 * * * to 0 4 * * *: schedule of nightly
const pulumi = require("@pulumi/pulumi");
const agentgraph = require("pulumi-agentgraph");

const agent = new agentgraph.Deployment("agent", {
  name: "old-configured",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});
const deploymentId = agent.id;

const plain = new agentgraph.Assistant("plain", { deploymentId, graphId: "counter" }, { deletedWith: agent });

const whole = new agentgraph.Assistant("whole", {
  deploymentId,
  assistantId: "0B8F4D7E-6A0F-4C53-9D52-3A5C1F7E2B11",
  graphId: "echo",
  name: "The whole of old",
  description: "Says what it is told",
  context: { prefix: "prefix of old", letters: "upper" },
  config: { tags: ["old"], recursionLimit: 10, run_name: "kept" },
  metadata: { team: "support", camelCase: { inner_key: [1, null] } },
});

const hidden = new agentgraph.Assistant("private", {
  deploymentId,
  graphId: "echo",
  config: { configurable: { prefix: "a secret of old" } },
  sensitive: true,
});

// An agent server that stands by itself: here the same one, by its address.
const foreign = new agentgraph.Assistant("foreign", {
  deploymentUrl: pulumi.interpolate`${agent.url}/`,
  graphId: "echo",
  deleteForeignCrons: true,
});

const nightly = new agentgraph.Cron("nightly", {
  deploymentId,
  assistantId: whole.id,
  schedule: "0 3 * * *",
  timezone: "Europe/Berlin",
  input: { messages: [{ role: "user", content: "Report" }] },
  metadata: { team: "support" },
  onRunCompleted: "keep",
});

const paused = new agentgraph.Cron("paused", {
  deploymentId,
  assistantId: "echo",
  schedule: "30 4 * * 1",
  enabled: false,
  input: { messages: [{ role: "user", content: "a question of old" }] },
  context: { prefix: "weekly" },
  config: { tags: ["weekly"] },
  sensitive: true,
});

exports.ids = [plain, whole, hidden, foreign, nightly, paused].map(({ id }) => id);
