const { Assistant, Deployment, Thread } = require("pulumi-agentgraph");

// Changed: agent:1.0.0 to agent:1.1.0: sourceRevisionConfig.imageUri of agent
const agent = new Deployment("agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
  keepConversations: { at: "kept", waiting: "leave", busy: "1m", allowEmpty: true },
});
new Thread("thread", { deploymentId: agent.id, metadata: { graph_id: "echo" } });
new Assistant("assistant", { deploymentId: agent.id, graphId: "echo", name: "Formal" });
