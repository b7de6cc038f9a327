// What 0.1.0-native-threads/state.json is the state of: resources of the native provider.
const agentgraph = require("pulumi-agentgraph/native");

const agent = new agentgraph.Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  secrets: { MODEL_KEY: "a-key-of-old" },
});
const plain = new agentgraph.Thread("plain", { deploymentId: agent.id, metadata: { team: "support of old" } });

exports.ids = [agent.id, plain.id];
