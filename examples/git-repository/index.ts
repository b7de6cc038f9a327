import * as pulumi from "@pulumi/pulumi";
import * as agentgraph from "pulumi-agentgraph";

const config = new pulumi.Config();

// Every push to the branch creates a revision. Previews stay empty, because the program does not change.
const agent = new agentgraph.Deployment("research-agent", {
  source: "githost",
  sourceConfig: {
    integrationId: config.require("integrationId"),
    repoUrl: "https://git.example.com/acme/research-agent",
    deploymentType: "prod",
    buildOnPush: true,
  },
  sourceRevisionConfig: { repoRef: "main", agentgraphConfigPath: "agentgraph.json" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

export const url = agent.url;
