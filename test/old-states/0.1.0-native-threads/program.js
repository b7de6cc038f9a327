// What 0.1.0-native-threads/state.json is the state of: resources of the native provider.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of agent
// Changed: support of old to support of new: metadata.team of plain
// Changed: a-key-of-old to a-key-of-new: secrets.MODEL_KEY of agent
const agentgraph = require("pulumi-agentgraph/native");

const agent = new agentgraph.Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  secrets: { MODEL_KEY: "a-key-of-old" },
});
const plain = new agentgraph.Thread("plain", { deploymentId: agent.id, metadata: { team: "support of old" } });

exports.ids = [agent.id, plain.id];
