import * as docker from "@pulumi/docker-build";
import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();
const address = config.require("registry");
const username = config.require("registryUser");

const image = new docker.Image("support-agent", {
  context: { location: "agent" },
  // The platform of the cluster, which may differ from that of the machine that builds.
  platforms: ["linux/amd64"],
  tags: [`${address}/support-agent:latest`],
  push: true,
  registries: [{ address, username, password: config.requireSecret("registryPassword") }],
});

// The tag moves with every push. `ref` also contains the digest, so only a new image creates a revision.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: image.ref },
});
export const deployedImage = agent.sourceRevisionConfig.imageUri;
