import * as agentgraph from "pulumi-agentgraph";

// The content of ./agent is compared: a changed file creates one revision, and an unchanged folder none, on any machine.
const agent = new agentgraph.Deployment("notes-agent", {
  source: "internal_source",
  sourcePath: "agent",
  sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" },
});

export const url = agent.url;
export const digest = agent.sourceDigest;
