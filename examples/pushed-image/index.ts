import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// The first `up` makes the deployment, whose registry the pipeline then pushes to; once `image` is set, it runs that.
const imageUri = config.get("image");
const agent = new agentgraph.Deployment("mail-agent", {
  source: "internal_docker",
  ...(imageUri !== undefined && { sourceRevisionConfig: { imageUri } }),
});

export const id = agent.id;
export const url = agent.url;
