// What 0.1.0-failed-check/state.json is the state of: a revision that failed its check, so that the last good one is
// live again.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of agent
const agentgraph = require("pulumi-agentgraph");

const agent = new agentgraph.Deployment("agent", {
  name: "old-failed",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  secrets: { MODEL_API_KEY: "a-model-key-of-old" },
  verify: [{ ask: { assistantId: "agent", input: { text: "a question of old" } }, attempts: 1 }],
});

exports.verified = agent.verifiedRevisionId;
