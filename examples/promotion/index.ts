import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

// The program of both stacks, staging and production. promote.mts sets the image of production.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  name: `support-agent-${pulumi.getStack()}`,
  sourceRevisionConfig: { imageUri: new pulumi.Config().require("image") },
});

export const url = agent.url;
