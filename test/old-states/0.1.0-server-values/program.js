// What 0.1.0-server-values/state.json is the state of: a dedicated deployment, of which the server runs more replicas.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of sized
const agentgraph = require("pulumi-agentgraph");

const sized = new agentgraph.Deployment("sized", {
  source: "internal_docker",
  sourceConfig: { deploymentType: "prod", resourceSpec: { cpu: 1, minScale: 1 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});

exports.ids = [sized.id];
