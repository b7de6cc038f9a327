// What 0.1.0-short-deployment/state.json is the state of: outputs omit the URN and the workspace, which they contain
// elsewhere.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of short
const agentgraph = require("pulumi-agentgraph");

const short = new agentgraph.Deployment(
  "short",
  {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
    secrets: { MODEL_KEY: "a-model-key-of-old" },
  },
  { customTimeouts: { create: "5m" } },
);

exports.ids = [short.id];
