// What 0.1.0-threads/state.json is the state of.
// Changed: agent:1.0.0 to agent:2.0.0: sourceRevisionConfig.imageUri of agent
// Changed: support of old to support of new: metadata.team of begun
// Changed: testers of old to testers of new: metadata.audience of copy
// Changed: a customer of old to a customer of new: metadata.customer of foreign
// Changed: graph_id: "counter" to graph_id: "failing": metadata.graph_id of private
const pulumi = require("@pulumi/pulumi");
const agentgraph = require("pulumi-agentgraph");

const agent = new agentgraph.Deployment("agent", {
  name: "old-conversing",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.0.0" },
});

const plain = new agentgraph.Thread("plain", { deploymentId: agent.id });

const begun = new agentgraph.Thread("begun", {
  deploymentId: agent.id,
  threadId: "0B8F4D7E-6A0F-4C53-9D52-3A5C1F7E2B11",
  metadata: { graph_id: "echo", team: "support of old", camelCase: { inner_key: [1, null] } },
  supersteps: [
    { updates: [{ asNode: "__input__", values: {} }] },
    { updates: [{ asNode: "__start__", values: { messages: [{ role: "user", content: "Hello" }] } }] },
    { updates: [{ asNode: "echo", values: { messages: [{ role: "assistant", content: "Hello, you" }] } }] },
  ],
  ttl: { ttl: 60 * 24 * 365, strategy: "keep_latest" },
});

const copy = new agentgraph.Thread(
  "copy",
  { deploymentId: agent.id, copyFrom: begun.id, metadata: { audience: "testers of old" } },
  { deletedWith: agent },
);

const hidden = new agentgraph.Thread("private", {
  deploymentId: agent.id,
  sensitive: true,
  metadata: { graph_id: "echo", customer: "a customer of old" },
  supersteps: [{ updates: [{ asNode: "echo", values: { messages: [{ role: "user", content: "a secret of old" }] } }] }],
});

// An agent server that stands by itself: here the same one, by its address.
const foreign = new agentgraph.Thread("foreign", {
  deploymentUrl: pulumi.interpolate`${agent.url}/`,
  metadata: { graph_id: "counter" },
});

exports.ids = [plain, begun, copy, hidden, foreign].map(({ id }) => id);
