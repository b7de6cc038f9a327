import * as agentgraph from "pulumi-agentgraph";

// `npm run up -- --agent <folder> --start <command>` sets both: the graph of your agent, and a value for each run.
const { QUICKSTART_GRAPH: graphId = "echo", QUICKSTART_RUN: run } = process.env;

// An agent from a container image. Change the image and run `npm run up` again to roll out a new revision.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 2, cpu: 0.5, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.0.0" },
  secrets: { MODEL_API_KEY: "not-a-real-key" },
  redeployTriggers: run ? { run } : {},
});

// What runs are configured with. A changed context needs no new revision.
const support = graphId
  ? new agentgraph.Assistant(
      "support",
      { deploymentId: agent.id, graphId, context: { prefix: "Support: " } },
      { deletedWith: agent },
    )
  : undefined;

// A conversation with the agent. It keeps its history when the image changes.
const welcome = graphId
  ? new agentgraph.Thread(
      "welcome",
      { deploymentId: agent.id, metadata: { graph_id: graphId, purpose: "welcome" } },
      { deletedWith: agent },
    )
  : undefined;

export const id = agent.id;
export const url = agent.url;
export const revision = agent.activeRevisionId;
export const assistant = support?.id;
export const thread = welcome?.id;
