import * as agentgraph from "pulumi-agentgraph";

const agent = new agentgraph.Deployment("concierge", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/concierge:2.0.0" },
});

// Supersteps are applied in order, each attributed to a node of the graph. A change of them replaces the thread.
const welcome = new agentgraph.Thread(
  "welcome",
  {
    deploymentId: agent.id,
    metadata: { graph_id: "agent", audience: "new guests" },
    supersteps: [
      { updates: [{ asNode: "__start__", values: { messages: [{ role: "user", content: "Where is breakfast?" }] } }] },
      { updates: [{ asNode: "answer", values: { messages: [{ role: "assistant", content: "On the roof." }] } }] },
    ],
  },
  // A destroy of the deployment also deletes its threads, so no requests for them are needed.
  { deletedWith: agent },
);

// A copy starts with the same history and is independent afterwards.
const trial = new agentgraph.Thread(
  "trial",
  { deploymentId: agent.id, copyFrom: welcome.id, metadata: { audience: "testers" }, ttl: { ttl: 7 * 24 * 60 } },
  { deletedWith: agent },
);

export const threads = [welcome.id, trial.id];
export const agentUrl = welcome.url;
