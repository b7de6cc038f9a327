import * as agentgraph from "pulumi-agentgraph";

const agent = new agentgraph.Deployment("starter-agent", { source: "internal_template" });

export const url = agent.url;
