import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

// Pulumi.staging.yaml and Pulumi.production.yaml contain what differs: the image and the context.
const config = new pulumi.Config();
const stack = pulumi.getStack();

const agent = new agentgraph.Deployment("support-agent", {
  name: `support-agent-${stack}`,
  source: "external_docker",
  sourceRevisionConfig: { imageUri: config.require("image") },
});

// `pulumi preview --stack production` shows a changed prompt as `new version: context.prompt`, before customers see it.
const support = new agentgraph.Assistant(
  "support",
  {
    deploymentId: agent.id,
    graphId: "agent",
    context: config.requireObject<Record<string, unknown>>("context"),
    metadata: { environment: stack },
  },
  { deletedWith: agent },
);

export const assistantId = support.id;
export const version = support.version;
