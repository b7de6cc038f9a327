import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

// The stacks of pull requests are named pr-<number>. All other stacks are permanent.
const isPreview = pulumi.getStack().startsWith("pr-");

const question = { messages: [{ role: "user", content: "What are your opening hours?" }] };

const agent = new agentgraph.Deployment("support-agent", {
  // Unique names per stack, such as support-agent-pr-7, so that all stacks can share one workspace.
  name: `support-agent-${pulumi.getStack()}`,
  source: "external_docker",
  sourceConfig: { resourceSpec: isPreview ? { minScale: 1, maxScale: 1, cpu: 0.5, memoryMb: 1024 } : { minScale: 2 } },
  sourceRevisionConfig: { imageUri: `registry.example.com/support-agent:${process.env.IMAGE_TAG ?? "1.0.0"}` },
  // The job of a pull request fails if its agent does not reply as expected.
  verify: [{ ask: { assistantId: "agent", input: question, expect: { contains: "opening hours" } } }],
});

export const name = agent.name;
export const url = agent.url;
