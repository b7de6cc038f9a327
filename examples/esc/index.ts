import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// The same code for values of the environment and of Pulumi.<stack>.yaml.
const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: config.require("image") },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});
export const url = agent.url;
