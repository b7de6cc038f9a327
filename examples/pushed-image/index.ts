import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// The first `pulumi up` creates the deployment and its registry, without a revision. Push the image there, set `image`, and run it again.
const imageUri = config.get("image");
const agent = new agentgraph.Deployment("mail-agent", {
  source: "internal_docker",
  ...(imageUri !== undefined && { sourceRevisionConfig: { imageUri } }),
});

export const id = agent.id;
export const url = agent.url;
