// What 0.1.0-url/state.json is the state of: a Provider with the one base URL of its platform.
// Changed: agent:1.0.0 to agent:1.1.0: sourceRevisionConfig.imageUri of agent
const agentgraph = require("pulumi-agentgraph");

const platform = new agentgraph.Provider("elsewhere", {
  url: process.env.AGENTGRAPH_CONTROL_PLANE_URL,
  apiKey: process.env.AGENTGRAPH_API_KEY,
});

const agent = new agentgraph.Deployment(
  "agent",
  {
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
    secrets: { MODEL_KEY: "a-model-key-of-old" },
  },
  { provider: platform },
);

exports.project = agent.tracingProjectId;
