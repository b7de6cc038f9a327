import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

// The resources of one environment. environments.mts creates and removes environments.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  name: `support-agent-${pulumi.getStack()}`,
  sourceRevisionConfig: { imageUri: new pulumi.Config().get("image") ?? "registry.example.com/support-agent:1.0.0" },
});

export const url = agent.url;
