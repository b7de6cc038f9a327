import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

const agent = new agentgraph.Deployment("support-agent", {
  source: "external_docker",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 2, cpu: 0.5, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: config.require("image") },
  // Values for the agent: pulumi config set --secret modelApiKey <key>
  // secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
  // Checks of each new revision; if one fails, the last good revision is deployed again:
  // verify: [{ ask: { assistantId: "agent", input: { messages: [{ role: "user", content: "Hello" }] } } }],
});

export const url = agent.url;
export const revision = agent.activeRevisionId;
