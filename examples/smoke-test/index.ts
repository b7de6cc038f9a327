import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";
import { ask } from "./conversation";

const image = new pulumi.Config().get("image") ?? "registry.example.com/support-agent:1.0.0";

// Runs when a rollout has finished. An error fails `pulumi up`, and resources that depend on the agent are not changed.
const smokeTest = new pulumi.ResourceHook("smoke-test", async ({ newOutputs }) => {
  const reply = await ask(newOutputs?.url, "What are your opening hours?");
  if (!reply.includes("opening hours"))
    throw new Error(
      `"${reply}" does not mention opening hours. ${image} is live; to roll back, deploy the previous image.`,
    );
});

const agent = new agentgraph.Deployment(
  "support-agent",
  { source: "external_docker", sourceRevisionConfig: { imageUri: image }, waitFor: "healthy" },
  { hooks: { afterCreate: [smokeTest], afterUpdate: [smokeTest] } },
);

export const url = agent.url;
