import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

// What one environment is made of; environments.ts says which there are.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  name: `support-agent-${pulumi.getStack()}`,
  sourceRevisionConfig: { imageUri: new pulumi.Config().get("image") ?? "registry.example.com/support-agent:1.0.0" },
});

export const url = agent.url;
