import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// Another version creates another key. The key is stored in the state, encrypted.
const key = new random.RandomPassword("webhook-key", {
  length: 40,
  special: false,
  keepers: { version: config.get("keyVersion") ?? "1" },
});

// A new key creates a revision. The old one is deleted from the state after the rollout.
new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceRevisionConfig: { imageUri: config.require("image") },
  secrets: { WEBHOOK_KEY: key.result },
});

// For the system that calls the agent: pulumi stack output --show-secrets webhookKey
export const webhookKey = key.result;
