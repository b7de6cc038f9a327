// What 0.1.0-environment/state.json is the state of: variables that are not secret beside those that are.
// Changed: info to debug: environment.LOG_LEVEL of plain
const agentgraph = require("pulumi-agentgraph");

const plain = new agentgraph.Deployment("plain", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  environment: { LOG_LEVEL: "info", REGION: "eu" },
  secrets: { MODEL_KEY: "a-model-key-of-old" },
  forceDelete: true,
});

exports.ids = [plain.id];
