import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const question = { messages: [{ role: "user", content: "What are your opening hours?" }] };

// The program of both stacks, staging and production. promote.mts sets the image of production.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  name: `support-agent-${pulumi.getStack()}`,
  sourceRevisionConfig: { imageUri: new pulumi.Config().require("image") },
  verify: [{ ask: { assistantId: "agent", input: question, expect: { contains: "opening hours" } } }],
});

export const url = agent.url;
