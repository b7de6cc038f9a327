// What 0.1.0-native-objects/state.json is the state of: objects of an agent server whose ownership marker state
// records.
// Changed: support of old to support of new: metadata.team of plain
// Changed: prompt of old to prompt of new: context.prompt of writer
const agentgraph = require("pulumi-agentgraph/native");

const agent = new agentgraph.Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});
const plain = new agentgraph.Thread("plain", { deploymentId: agent.id, metadata: { team: "support of old" } });
const writer = new agentgraph.Assistant("writer", {
  deploymentId: agent.id,
  graphId: "echo",
  context: { prompt: "prompt of old" },
});

exports.ids = [agent.id, plain.id, writer.id];
