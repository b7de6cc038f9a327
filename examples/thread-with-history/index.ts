import * as agentgraph from "pulumi-agentgraph";

const agent = new agentgraph.Deployment("concierge", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/concierge:2.0.0" },
});

// The steps are applied in order, each in the name of a node of the graph. A change of them makes a new thread.
const welcome = new agentgraph.Thread(
  "welcome",
  {
    deploymentId: agent.id,
    metadata: { graph_id: "agent", audience: "new guests" },
    supersteps: [
      { updates: [{ asNode: "__input__", values: { messages: [{ role: "user", content: "Where is breakfast?" }] } }] },
      { updates: [{ asNode: "answer", values: { messages: [{ role: "assistant", content: "On the roof." }] } }] },
    ],
  },
  // Threads go with their deployment: a destroy need not ask for them one by one.
  { deletedWith: agent },
);

// A copy has the same history and a life of its own: what runs add to one does not show in the other.
const trial = new agentgraph.Thread(
  "trial",
  { deploymentId: agent.id, copyFrom: welcome.id, metadata: { audience: "testers" }, ttl: { ttl: 7 * 24 * 60 } },
  { deletedWith: agent },
);

export const threads = [welcome.id, trial.id];
export const agentUrl = welcome.url;
